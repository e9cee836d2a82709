import { expect, it } from 'vitest';
import { whyFailed } from './why.ts';

it.each([
  ['TypeError: Failed to fetch', 'network'],
  ['TypeError: NetworkError when attempting to fetch resource.', 'network'],
  ['TypeError: Load failed', 'network'],
  ['TypeError: Importing a module script failed.', 'network'],
  ['Error: 404 python/rage-1.zip', 'network'],
  ['', 'network'],
  ['RangeError: WebAssembly.Memory(): could not allocate memory', 'memory'],
  ['RangeError: Array buffer allocation failed', 'memory'],
  ["ReferenceError: Can't find variable: WebAssembly", 'browser'],
  ['Error: network: 4096 of 8192 bytes of python/rage-1.zip', 'network'],
  ['ReferenceError: Worker is not defined', 'browser'],
  ['SyntaxError: import declarations may only appear at top level', 'browser'],
  ['Error: the games cannot be read: RangeError: offset is out of bounds', 'games'],
  ['PythonError: ModuleNotFoundError', 'other'],
])('%s: %s', (error, why) => expect(whyFailed(error)).toBe(why));
