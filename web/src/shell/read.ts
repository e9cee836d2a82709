/** The text of a file in UTF-8, or in UTF-16 with a byte order mark as Notepad and PowerShell write
 * it. */
export async function textOf(file: Blob): Promise<string> {
  const data = await file.arrayBuffer();
  const [first, second] = new Uint8Array(data);
  const mark = (first! << 8) | second!;
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(data);
}
