// Runs a program in the Python of a built folder, with the layers in JavaScript:
// node inside.mjs FOLDER PARTS PROGRAM prints what the program's last expression is.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { makeLayers } from '../../web/src/alone/layers.ts';

const [folder, described, program] = process.argv.slice(2);
const { runtime, rage } = JSON.parse(readFileSync(described, 'utf8'));
const indexURL = `${folder}/${runtime}`;
const { loadPyodide } = await import(pathToFileURL(`${indexURL}pyodide.mjs`));
const python = await loadPyodide({ indexURL });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/${rage}`)), 'zip');
python.globals.set('make_layers', makeLayers);
try {
  console.log(python.runPython(readFileSync(program, 'utf8')));
} catch (error) {
  console.error(error.message); // its stack quotes a line of a million characters
  process.exit(1);
}
