// What UXP has and Adobe's declarations lack, and no more: each line is documented (`premiere-uxp.md` 4.1, 5.3) or used
// by Adobe's own samples. Everything else that a browser has does not compile here.

/** Version of the panel; the bundler puts it in. */
declare const PANEL_VERSION: string;

/** Whether this is the package that is handed out directly, not Adobe's Marketplace's; the bundler puts it in. */
declare const PANEL_IS_DIRECT: boolean;

declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

// The vendor's class has no listeners; `main.ts` replaces it at run time where that is so.
interface AbortSignal {
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
interface AbortController {
  abort(): void;
}

/** The theme of the host: `darkest`, `dark` or `light` in Premiere. */
interface Document {
  readonly theme?: {
    getCurrent(): string;
    readonly onUpdated: { addListener(listener: (theme: string) => void): void };
  };
}

interface HTMLElement {
  scrollTop: number;
}

declare var window: {
  addEventListener(type: "unload" | "beforeunload" | "resize", listener: () => void): void;
  /** Used by public panels; documented nowhere. */
  readonly location?: { reload?(): void };
};

declare var navigator: {
  readonly language?: string;
  readonly clipboard?: { writeText?(text: string): Promise<unknown>; setContent?(content: object): Promise<unknown> };
};
