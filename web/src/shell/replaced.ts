// Translators in browsers replace text nodes with elements of their own (`<font>`). Svelte keeps
// writing to the original nodes, and uses them as landmarks: the visible text would never change,
// and would stay when it should disappear. So a replaced node is put back, empty, before its
// replacement, which is removed as soon as the node is written or removed. Extensions that split a
// node leave the rest of its text beside it: that is removed at the same moment.

interface Replaced {
  readonly by: Element;
  readonly text: string;
}
const replaced = new WeakMap<Node, Replaced>();
/** The elements that replace text nodes. */
const standing = new WeakSet<Node>();

/** By text node, the nodes split off from it. */
const split = new WeakMap<Node, ChildNode[]>();

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;

/** Keep every text node where Svelte looks for it. */
export function keepTexts(): void {
  const observer = new MutationObserver((changes) => {
    const written = new Set<Node>();
    const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]));
    for (const { type, target, oldValue } of changes)
      if (type === 'characterData' && !wasSplit(target as Text, oldValue, added))
        written.add(target);
    for (const text of written) {
      dropRest(text);
      replaced.get(text)?.by.remove();
      replaced.delete(text);
    }
    for (const change of changes)
      for (const node of change.removedNodes)
        if (isText(node)) removed(node, change, written.has(node));
    observer.takeRecords(); // changes made here
  });
  const what = { subtree: true, childList: true, characterData: true, characterDataOldValue: true };
  observer.observe(document.body, what);
}

/** Whether a text node lost its end to nodes added after it. */
function wasSplit(text: Text, before: string | null, added: ReadonlySet<Node>): boolean {
  const rest: ChildNode[] = [];
  let whole = text.data;
  for (let next = text.nextSibling; next && added.has(next); next = next.nextSibling) {
    rest.push(next);
    whole += next.textContent;
    if (whole !== before) continue;
    split.set(text, [...rest, ...(split.get(text) ?? [])]);
    return true;
  }
  return false;
}

function dropRest(text: Node): void {
  split.get(text)?.forEach((each) => each.remove());
  split.delete(text);
}

function removed(text: Text, change: MutationRecord, isNew: boolean): void {
  dropRest(text);
  const before = replaced.get(text);
  if (before) return moved(text, before);
  const by = replacement(change);
  if (!by || text.isConnected || !text.data.trim()) return;
  if (isNew) return by.replaceWith(text); // its earlier translation
  by.before(text);
  replaced.set(text, { by, text: text.data });
  standing.add(by);
  text.data = '';
}

/** The replacement of a text node, if it was not simply removed. */
function replacement({ target, addedNodes, previousSibling, nextSibling }: MutationRecord) {
  const beside = [previousSibling, nextSibling].filter((each) => each?.nodeName === 'FONT');
  const found = [...addedNodes, ...beside].find(
    (each) => each instanceof Element && each.parentNode === target && !standing.has(each),
  );
  return found as Element | undefined;
}

/** Remove the replacement of a replaced node that was removed; unless the translator removed the
 * replacement to restore the text. */
function moved(text: Text, { by, text: original }: Replaced): void {
  if (text.isConnected && by.isConnected) return text.after(by);
  by.remove();
  replaced.delete(text);
  if (text.isConnected) text.data = original;
}
