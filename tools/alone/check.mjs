// Imports everything that a built folder carries, as a browser would: node check.mjs FOLDER PARTS,
// where parts.json says what lies where.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
const { runtime, rage, modules } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
const indexURL = `${folder}/${runtime}`;
const { loadPyodide } = await import(pathToFileURL(`${indexURL}pyodide.mjs`));
const python = await loadPyodide({ indexURL });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/${rage}`)), 'zip');
const load = python.pyimport('importlib').import_module;
try {
  for (const name of modules) if (/^(rage|msgspec)\b/.test(name)) load(name);
} catch (error) {
  console.error(error.message); // its stack quotes a line of a million characters
  process.exit(1);
}
