// A dialog over the page, in which the browser keeps the focus. It closes with Escape, with a touch
// outside, and at a table with Back; elsewhere dialogs change the address, which Back undoes.

import { mount, unmount } from 'svelte';
import { closeOnBack } from './back';
import Live from './Live.svelte';
import { place } from './place.svelte';

/** Show a dialog over everything while it exists. Every way of closing calls `onclose`. */
export function modal(onclose: () => void): (node: HTMLDialogElement) => () => void {
  return (node) => {
    const before = document.activeElement;
    node.showModal();
    const live = mount(Live, { target: node, props: { inside: true } });
    // Focus its heading if possible, so that its name is heard first and not its close button.
    node.querySelector<HTMLElement>('h2[tabindex]')?.focus();
    // The event of a closed dialog arrives late, when another dialog may be open.
    const left = new AbortController();
    const { signal } = left;
    const onBack = place.table ? closeOnBack(onclose) : undefined;
    node.addEventListener('close', onclose, { signal });
    // A drag from inside to outside, such as a text selection, is not a touch outside.
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
      // Once removed, it cannot return the focus itself.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  };
}
