/** What an argument may be. A kind in capitals names a host object of the double. */
export type ArgumentKind = "string" | "number" | "boolean" | "function" | "string[]" | HostKind | ArgumentTest;

/** Kinds of host objects. */
export type HostKind =
  | "Action"
  | "AudioClipTrackItem"
  | "AudioTrack"
  | "ClipProjectItem"
  | "EncoderManager"
  | "FolderItem"
  | "FrameRate"
  | "Guid"
  | "Keyframe"
  | "Marker"
  | "Project"
  | "ProjectItem"
  | "Sequence"
  | "TickTime"
  | "TrackItemSelection"
  | "VideoTrack";

/** A test of its own, with the words for the error. */
export interface ArgumentTest {
  readonly words: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Parameters of a member: the first `required` must be given, the rest may be left out, never `undefined`. */
export interface Parameters {
  readonly required: readonly ArgumentKind[];
  readonly optional?: readonly ArgumentKind[];
}

const kinds = new WeakMap<object, HostKind>();

/** Notes which kind of host object this is, so that arguments can be told apart. */
export function markKind<Marked extends object>(object: Marked, kind: HostKind): Marked {
  kinds.set(object, kind);
  return object;
}

/** The kind of a host object, if it is one of the double's. */
export function kindOf(value: unknown): HostKind | undefined {
  return typeof value === "object" && value !== null ? kinds.get(value) : undefined;
}

/**
 * Refuses arguments as Premiere does: `Not Enough Parameters` when one is missing, `Illegal Parameter type` for
 * `undefined` and for any wrong kind.
 */
export function checkArguments(member: string, given: readonly unknown[], parameters: Parameters): void {
  const allowed = [...parameters.required, ...(parameters.optional ?? [])];
  if (given.length < parameters.required.length) throw new Error(`Not Enough Parameters (${member})`);
  if (given.length > allowed.length) throw new Error(`Illegal Parameter type (${member}: too many arguments)`);
  for (const [index, value] of given.entries()) {
    const kind = allowed[index];
    if (kind === undefined || !accepts(value, kind)) {
      throw new Error(`Illegal Parameter type (${member}, argument ${index + 1})`);
    }
  }
}

function accepts(value: unknown, kind: ArgumentKind): boolean {
  if (value === undefined) return false;
  if (typeof kind === "object") return kind.accepts(value);
  if (kind === "number") return typeof value === "number" && Number.isFinite(value);
  if (kind === "string" || kind === "boolean" || kind === "function") return typeof value === kind;
  if (kind === "string[]") return Array.isArray(value) && value.every((entry) => typeof entry === "string");
  return kindOf(value) === kind;
}

/** `null`, or the kind given: what Premiere takes for the target bin. */
export function orNull(kind: ArgumentKind): ArgumentTest {
  return { words: "null or an object", accepts: (value) => value === null || accepts(value, kind) };
}

/** One of several kinds. */
export function anyOf(...options: readonly ArgumentKind[]): ArgumentTest {
  return { words: "one of several kinds", accepts: (value) => options.some((kind) => accepts(value, kind)) };
}

/** One of the runtime values of a constant, and nothing else. */
export function constantOf(constants: object): ArgumentTest {
  const values = new Set<unknown>(Object.values(constants));
  return { words: "a constant", accepts: (value) => values.has(value) };
}
