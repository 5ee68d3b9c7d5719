// The few globals, beyond ECMAScript, that portable code (core, formats, contract, client, host ports, workflow) may
// use: what Node and Premiere's UXP both have, and no more. Compiled by tsconfig.portable.json only.
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
  throwIfAborted(): void;
}
interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare var AbortController: { new (): AbortController };
declare function setTimeout(handler: () => void, milliseconds: number): unknown;
declare function clearTimeout(handle: unknown): void;
