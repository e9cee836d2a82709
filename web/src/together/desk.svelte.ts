// Which panel is open, and what has been read in it.

export type PanelName = 'chat' | 'people' | 'options' | 'claim';

export class Desk {
  open = $state<PanelName | null>(null);
  /** The number of the last line of chat that was seen. */
  read = $state(0);
  #from: Element | null = null;

  /** Open a panel, or close it where it is open. The focus comes back to where it was. */
  toggle(name: PanelName): void {
    if (this.open === name) return this.close();
    if (this.open === null) this.#from = document.activeElement;
    this.open = name;
  }

  close(): void {
    this.open = null;
    if (this.#from instanceof HTMLElement && this.#from.isConnected) this.#from.focus();
    this.#from = null;
  }
}
