import type { HostCall } from "./find-host-calls.ts";
import { HOST_CALLS, SINCE, type SourcedCalls, SURVIVED, WITNESSES } from "./host-call-sources.ts";

/** A member as {@link findHostCalls} names it. */
export function callNames({ owner, members }: SourcedCalls): readonly string[] {
  return members.map((member) => nameOf(owner, member));
}

function nameOf(owner: string, member: string): string {
  // What is constructed, drawn or listened to is no member of anything.
  const joint = ["new", "element", "event"].includes(owner) ? " " : ".";
  return owner === "" ? member : `${owner}${joint}${member}`;
}

/**
 * The page of `docs/` that lists every call with its source.
 *
 * @param survived - Which other answers of a member of Premiere are survived, by its name: as the matrix tells.
 */
export function hostCallTable(calls: readonly HostCall[], survived: ReadonlyMap<string, readonly string[]>): string {
  const files = new Map(calls.map((call) => [call.name, call.files]));
  const counted = (source: string) =>
    HOST_CALLS.filter((row) => row.source === source).reduce((sum, { members }) => sum + members.length, 0);
  const rows = [...HOST_CALLS].sort((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0));
  const total = HOST_CALLS.reduce((sum, { members }) => sum + members.length, 0);
  const sources = ["measured", "documented", "typed", "assumed"].map((source) => `${counted(source)} ${source}`);
  return [
    "# Every call of the host",
    "",
    "Made by `npm run tool -- host-calls` from the code, from `tools/check/host-calls/host-call-sources.ts` and from",
    "[the matrix](notes/premiere-matrix.md); a test fails when it is not up to date.",
    "",
    `${total} members of Premiere, of UXP and of its document are used: ${sources.join(", ")}.`,
    "*Measured*: others saw it work in a running Premiere. *Documented*: Adobe describes it, or a sample of Adobe's uses it.",
    "*Typed*: the vendor declares it, and nothing says how it behaves. *Assumed*: more is relied on than any source says; a fallback stands behind it.",
    "",
    "*Survived*: in which other ways it can answer while everything that asks it still ends done, on the double of Premiere: `later` (by a promise),",
    "`another shape`, `refuses`, `nothing`, `throws late`, `missing`, `never`. In all other ways the editor reads a sentence that names the member,",
    "what was tried and what to send. Members without a word there are on no way that was gone through.",
    "",
    "## What is assumed",
    "",
    "| Member | What is relied on | Where it does not hold | Code of the fallback |",
    "|---|---|---|---|",
    ...rows.flatMap(({ fallback, ...row }) =>
      fallback === undefined
        ? []
        : [`| ${listed(callNames(row))} | ${row.where} | ${fallback.does} | \`${fallback.code}\` |`],
    ),
    "",
    "## Who measured",
    "",
    "| Key | Who, and in which Premiere |",
    "|---|---|",
    ...Object.entries(WITNESSES).map(([key, who]) => `| ${key} | ${who} |`),
    "",
    "## All of them",
    "",
    "| Of | Members | Known | Since | Where it is said | Survived | Used in |",
    "|---|---|---|---|---|---|---|",
    ...rows.flatMap((row) => alike(row, survived).map((some) => line(some, survived, files))),
    "",
  ].join("\n");
}

/** A row of members taken apart, so that all of a part came at once and survive the same. */
function alike(row: SourcedCalls, survived: ReadonlyMap<string, readonly string[]>): SourcedCalls[] {
  const parts = new Map<string, string[]>();
  for (const member of row.members) {
    const name = nameOf(row.owner, member);
    const key = `${SINCE[name] ?? ""}|${survivedBy(name, survived)}`;
    parts.set(key, [...(parts.get(key) ?? []), member]);
  }
  return [...parts.values()].map((members) => ({ ...row, members }));
}

function line(
  row: SourcedCalls,
  survived: ReadonlyMap<string, readonly string[]>,
  files: ReadonlyMap<string, readonly string[]>,
): string {
  const names = callNames(row);
  const [first = ""] = names;
  const used = new Set(names.flatMap((name) => files.get(name) ?? []));
  const owner = row.owner === "" ? "(global)" : `\`${row.owner}\``;
  const known = row.by === undefined ? row.source : `${row.source} by ${row.by.join(", ")}`;
  const cells = [owner, listed(row.members), known, SINCE[first] ?? "", row.where, survivedBy(first, survived)];
  return `| ${[...cells, places([...used].sort())].join(" | ")} |`;
}

function survivedBy(name: string, survived: ReadonlyMap<string, readonly string[]>): string {
  const beside = SURVIVED[name];
  if (beside !== undefined) return `${beside.answers} (\`${beside.test}\`)`;
  const ways = survived.get(name);
  if (ways === undefined) return "";
  return ways.length === 0 ? "none" : ways.join(", ");
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** A few files by their names; of many, how many. */
function places(files: readonly string[]): string {
  return files.length > 4 ? `${files.length} files` : files.map((file) => `\`${file}\``).join(", ");
}
