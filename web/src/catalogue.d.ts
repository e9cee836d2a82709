// What catalogues.ts makes of src/rage/locale: the sentences of one language that the page can say.
declare module 'virtual:catalogue/*' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
