// A dialog over the page, in which the browser keeps the focus. It closes with Escape, a touch outside
// it, and at a table with Back, too: elsewhere dialogs change the address, which Back would undo.

import { mount, unmount } from 'svelte';
import { closeOnBack } from './back';
import Live from './Live.svelte';
import { place } from './place.svelte';

/** Show a dialog over everything for as long as it is there. Whatever closes it calls `onclose`. */
export function modal(onclose: () => void): (node: HTMLDialogElement) => () => void {
  return (node) => {
    const before = document.activeElement;
    node.showModal();
    const live = mount(Live, { target: node, props: { inside: true } });
    // Its name is heard first where it can be, not the button that closes it.
    node.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    // The event of a dialog that has left comes later, when another one may be open.
    const left = new AbortController();
    const { signal } = left;
    const onBack = place.table ? closeOnBack(onclose) : undefined;
    node.addEventListener('close', onclose, { signal });
    // What begins inside and ends outside, such as a selection of text, is none.
    let outside = false;
    node.addEventListener('pointerdown', ({ target }) => (outside = target === node), { signal });
    node.addEventListener('click', ({ target }) => target === node && outside && onclose(), {
      signal,
    });
    return () => {
      left.abort();
      void unmount(live);
      onBack?.();
      node.close();
      // Once it has left the page it cannot give the focus back itself.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  };
}
