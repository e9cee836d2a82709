// The layout of the page now (layout.ts), for scripts here and for style on the root:
//
//     layout.is('low')                      in a component
//     :global(:where([data-room~='low']))   in its style; `data-layout` has the layout's name,
//     var(--size-card)                      and a size is a custom property

import { type Layout, layoutOf, type Name, type Room, type Sizes, type Step } from './layout';

/** Measures the reader's text size, whatever the page does with it. */
const probe = document.createElement('i');

function measured(): Room {
  const text = probe.getBoundingClientRect().width || 16;
  return { width: innerWidth, height: innerHeight, text };
}

class Current {
  #now: Layout = $state.raw(layoutOf(measured()));

  get name(): Name {
    return this.#now.name;
  }

  get room(): Room {
    return this.#now.room;
  }

  get sizes(): Sizes {
    return this.#now.sizes;
  }

  /** A pixel at the usual text size of a page; a table sets its own (Play.svelte). */
  get unit(): number {
    void this.#now;
    return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  }

  is(step: Step): boolean {
    return this.#now.steps.includes(step);
  }

  /** Follow the window and the text size from now on. */
  follow(): void {
    probe.ariaHidden = 'true';
    Object.assign(probe.style, { position: 'absolute', font: 'medium serif', width: '1em' });
    document.body.append(probe);
    const update = () => this.#take(layoutOf(measured()));
    new ResizeObserver(update).observe(probe);
    addEventListener('resize', update);
    update();
  }

  #take(layout: Layout): void {
    const { dataset, style } = document.documentElement;
    dataset['layout'] = layout.name;
    dataset['room'] = layout.steps.join(' ');
    for (const [size, value] of Object.entries(layout.sizes))
      style.setProperty(`--size-${size}`, `${value}px`);
    this.#now = layout;
  }
}

export const layout = new Current();
