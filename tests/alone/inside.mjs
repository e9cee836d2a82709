// Runs a program in the Python of a built folder: node inside.mjs FOLDER PARTS PROGRAM prints what
// the program's last expression is.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, described, program] = process.argv.slice(2);
const { runtime, rage } = JSON.parse(readFileSync(described, 'utf8'));
const indexURL = `${folder}/${runtime}`;
const { loadPyodide } = await import(pathToFileURL(`${indexURL}pyodide.mjs`));
const python = await loadPyodide({ indexURL });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/${rage}`)), 'zip');
try {
  console.log(python.runPython(readFileSync(program, 'utf8')));
} catch (error) {
  console.error(error.message); // its stack quotes a line of a million characters
  process.exit(1);
}
