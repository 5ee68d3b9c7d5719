import type { LogEvent } from "../../../../src/engine/describe/vision/look.ts";

/** An event of a film's log, seen for a second. */
export function eventAt(number: number, at: number, what: string, more: Partial<LogEvent> = {}): LogEvent {
  const seen = { start: at, end: at + 1 };
  return { number, seen, what, who: [], kind: "action", importance: 0.8, confidence: 0.9, ...more };
}
