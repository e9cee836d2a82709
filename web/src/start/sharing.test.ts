import { expect, it } from 'vitest';
import { isLocalhost } from './sharing';

it.each([
  'http://localhost:7243/t/x',
  'http://127.0.0.1/',
  'http://[::1]:80/',
  'http://127.8.0.1/',
])('knows that %s leads nowhere for others', (url) => expect(isLocalhost(url)).toBe(true));
it.each([
  'http://192.168.1.5:7243/',
  'https://rage.example/',
  'http://localhost.example/',
  'http://1270.example/',
])('lets others follow %s', (url) => expect(isLocalhost(url)).toBe(false));
