/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of an object that a `Range` header asks for (RFC 9110, 14.1.2): `null` for the whole, which is also the answer
 * to several ranges and to units other than bytes; `"unsatisfiable"` when it lies outside.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null | "unsatisfiable" {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Number(last);
    return length === 0 || sizeBytes === 0
      ? "unsatisfiable"
      : { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  // "An int-range is invalid if the last-pos value is less than first-pos", and an invalid one is ignored.
  if (last !== "" && Number(last) < start) return null;
  return start >= sizeBytes ? "unsatisfiable" : { start, end };
}

/** What a slice of a resumable upload says of itself. */
export interface ContentRange {
  /** `null` asks how much has arrived. */
  readonly bytes: ByteRange | null;
  /** Size of the whole; `null` while unknown. */
  readonly sizeBytes: number | null;
}

/** Reads a `Content-Range` header (RFC 9110, 14.4); `null` when it makes no sense. */
export function parseContentRange(header: string): ContentRange | null {
  const match = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(header.trim());
  if (match === null) return null;
  const [, first, last, total] = match;
  const sizeBytes = total === undefined || total === "*" ? null : Number(total);
  if (first === undefined || last === undefined) return { bytes: null, sizeBytes };
  const bytes = { start: Number(first), end: Number(last) };
  const isSound = bytes.end >= bytes.start && (sizeBytes === null || bytes.end < sizeBytes);
  return isSound ? { bytes, sizeBytes } : null;
}
