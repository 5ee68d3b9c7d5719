import { type Faults, NO_FAULTS, OTHERWISE, type Otherwise, VERSIONS } from "../../fakes/premiere/faults.ts";
import { SeededRandom } from "../../fakes/seeded-random.ts";

/** One thing, or a set of things, that a Premiere does otherwise. */
export interface Column {
  /** What is otherwise, as it stands in the matrix. */
  readonly name: string;
  /** Version that is played; that of a Premiere in good health where it is not said. */
  readonly version?: Faults["version"];
  readonly faults: Partial<Faults>;
}

/** Every switch of the double in every position but the one of good health. A new switch is no type without a line here. */
const POSITIONS: { readonly [Name in Exclude<keyof Faults, "version" | "members">]: readonly Faults[Name][] } = {
  platform: ["Windows"],
  mediaPaths: ["long"],
  staleness: ["await"],
  expireAt: [1, 40],
  export: ["true without a file", "empty file", "cancelled", "fails", "disk full", "wrong length"],
  // Media Encoder has to be chosen first: `test/host/premiere/encoder-queue.test.ts` goes through what it does.
  encoder: ["works", "paused"],
  failingPreset: ["p.epr"],
  importDelay: [3, Number.POSITIVE_INFINITY],
  unicodeForm: ["NFD"],
  importForm: ["four arguments", "three arguments", "without a bin", "null for the bin", "paths alone", "none"],
  importsFrom: ["not below Documents"],
  reimport: ["nothing"],
  overwrite: ["nothing", "first track"],
  insert: ["nothing"],
  markers: ["ripple"],
  noVideoIndex: ["refused"],
  selection: ["never", "refused"],
  emptyTransaction: ["false"],
  deleteSequence: ["nothing"],
  converters: ["true without a file", "refuse"],
  sourceMonitor: ["refuses"],
  transaction: [
    { at: 1, how: "returns false" },
    { at: 1, how: "throws" },
    { at: 2, how: "throws" },
  ],
  droppedAction: [1, 2, 3, 4],
  mute: ["returns false"],
  displayCodes: ["constants", "unknown"],
  wrongCast: ["throws"],
  missingTrack: ["throws"],
};

/** A Premiere of each version, as far as it was measured. */
export const VERSION_COLUMNS: readonly Column[] = Object.entries(VERSIONS).map(([version, faults]) => ({
  name: version,
  version: version as Faults["version"],
  faults,
}));

/** Each switch alone. */
export const SWITCH_COLUMNS: readonly Column[] = Object.entries(POSITIONS).flatMap(([name, positions]) =>
  positions.map((position) => ({ name: `${name}: ${shown(position)}`, faults: { [name]: position } })),
);

/** What a value can do that is no member of an object. */
const VALUES: ReadonlySet<Otherwise> = new Set(["another shape", "nothing", "missing"]);

/** Each member alone, in each way in which it can answer otherwise. */
export function memberColumns(members: readonly string[]): readonly Column[] {
  return members.flatMap((member) =>
    OTHERWISE.filter((how) => !member.startsWith("Constants") || VALUES.has(how)).map((how) => ({
      name: `${member}: ${how}`,
      faults: { members: { [member]: how } },
    })),
  );
}

/** Sets of one to four things that are otherwise, in a Premiere of any version. */
export function randomColumns(members: readonly string[], count: number, seed: number): readonly Column[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => {
    const { name, version = NO_FAULTS.version, faults } = random.oneOf(VERSION_COLUMNS) ?? { name: "", faults: {} };
    const wrong = Array.from({ length: random.whole(1, 3) }, () => [random.oneOf(members), random.oneOf(OTHERWISE)]);
    const flipped = random.whole(0, 1) === 0 ? undefined : random.oneOf(SWITCH_COLUMNS);
    const names = [name, ...wrong.map((pair) => pair.join(": ")), ...(flipped === undefined ? [] : [flipped.name])];
    const all = { ...faults.members, ...Object.fromEntries(wrong) };
    return { name: names.join("; "), version, faults: { ...faults, ...flipped?.faults, members: all } };
  });
}

/**
 * Whether members answer what a Premiere in good health answers too, where there is nothing: what follows is shown, and nobody can
 * tell that it is wrong.
 */
export function isBelieved({ faults: { members = {} } }: Column): boolean {
  return Object.entries(members).some(([member, how]) => how === "nothing" && BELIEVED.test(member));
}

const BELIEVED =
  /^(?:Project\.getActive(?:Project|Sequence)|Sequence\.getVideoTrackCount|VideoTrack\.getTrackItems|Marker\.getComments)$/;

function shown(position: unknown): string {
  if (typeof position !== "object" || position === null) return String(position);
  return Object.values(position).join(" ");
}
