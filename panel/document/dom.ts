/**
 * What the panel uses of a document, in types of its own: whatever is not named here cannot be called. `panel/main.ts`
 * holds them against Adobe's declarations, which know only what UXP has.
 */
export interface PanelDocument {
  readonly body: PanelElement;
  readonly activeElement: unknown;
  createElement(name: string): PanelElement;
  createTextNode(text: string): PanelNode;
  getElementById(id: string): PanelElement | null;
}

/** A node: an element, or text. */
export interface PanelNode {
  textContent: string | null;
}

/** An element of UXP's subset of HTML. `value`, `checked` and `disabled` count for controls only. */
export interface PanelElement extends PanelNode {
  className: string;
  scrollTop: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
  readonly parentElement?: { readonly clientWidth: number } | null;
  value?: string;
  checked?: boolean;
  disabled?: boolean;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  appendChild(child: PanelNode): unknown;
  insertBefore(child: PanelNode, before: PanelNode): unknown;
  removeChild(child: PanelNode): unknown;
  addEventListener(name: string, listener: (event: PanelEvent) => void): void;
  focus(): void;
  /** Of a `video` alone, and only where the host has it. */
  readonly play?: (() => unknown) | undefined;
  readonly pause?: (() => unknown) | undefined;
  readonly currentTime?: number;
}

/** An event, as far as the panel reads it. */
export interface PanelEvent {
  readonly target: unknown;
  readonly currentTarget: unknown;
  readonly key?: string;
  readonly shiftKey?: boolean;
  readonly altKey?: boolean;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  /** Whether the key belongs to a sign that is still being put together, as in Chinese and Japanese. */
  readonly isComposing?: boolean;
  /** Distance from the target's left edge, in pixels. */
  readonly offsetX?: number;
  preventDefault(): void;
  stopPropagation(): void;
}
