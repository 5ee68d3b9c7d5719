import { isObject } from "../core/is-object.ts";

/** A JSON object of unknown origin. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; `null` for anything else, arrays included. */
export function objectOf(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** The first of the named fields that holds a text with more than blanks; whole numbers count, as ids may be numbers. */
export function textField(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  }
  return undefined;
}

/** The named field as a finite number; a number written as text counts. */
export function numberField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The named field as a list; empty when it is none. */
export function listField(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
