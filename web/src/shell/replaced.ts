// Translators in browsers put elements of theirs (`<font>`) in the place of texts. Svelte goes on
// writing into those texts, and finds its way by them: what anybody sees would never change, and would
// remain when it should go. So a text that was replaced returns, empty, before its replacement, which
// goes as soon as the text is written or taken away.

interface Replaced {
  readonly by: Element;
  readonly text: string;
}
const replaced = new WeakMap<Node, Replaced>();
/** The elements that stand for a text. */
const standing = new WeakSet<Node>();

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;

/** Keep every text of the page where Svelte looks for it. */
export function keepTexts(): void {
  const observer = new MutationObserver((changes) => {
    const written = new Set<Node>();
    for (const { type, target } of changes) if (type === 'characterData') written.add(target);
    for (const text of written) {
      replaced.get(text)?.by.remove();
      replaced.delete(text);
    }
    for (const change of changes)
      for (const node of change.removedNodes)
        if (isText(node)) removed(node, change, written.has(node));
    observer.takeRecords(); // of what was done here
  });
  const what = { subtree: true, childList: true, characterData: true };
  observer.observe(document.body, what);
}

function removed(text: Text, change: MutationRecord, isNew: boolean): void {
  const before = replaced.get(text);
  if (before) return moved(text, before);
  const by = replacement(change);
  if (!by || text.isConnected || !text.data.trim()) return;
  if (isNew) return by.replaceWith(text); // what stands there is its translation from before
  by.before(text);
  replaced.set(text, { by, text: text.data });
  standing.add(by);
  text.data = '';
}

/** What has taken the place of a text, if it was not just taken away. */
function replacement({ target, addedNodes, previousSibling, nextSibling }: MutationRecord) {
  const beside = [previousSibling, nextSibling].filter((each) => each?.nodeName === 'FONT');
  const found = [...addedNodes, ...beside].find(
    (each) => each instanceof Element && each.parentNode === target && !standing.has(each),
  );
  return found as Element | undefined;
}

/** A text that was replaced has gone from its place: its replacement follows. Where the translator
 * took that away to have the text back, it is as it was. */
function moved(text: Text, { by, text: original }: Replaced): void {
  if (text.isConnected && by.isConnected) return text.after(by);
  by.remove();
  replaced.delete(text);
  if (text.isConnected) text.data = original;
}
