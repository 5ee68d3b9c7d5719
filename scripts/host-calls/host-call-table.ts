import type { HostCall } from "./find-host-calls.ts";
import { HOST_CALLS, type SourcedCalls } from "./host-call-sources.ts";

/** A member as {@link findHostCalls} names it. */
export function callNames({ owner, members }: SourcedCalls): readonly string[] {
  // What is constructed, drawn or listened to is no member of anything.
  const joint = ["new", "element", "event"].includes(owner) ? " " : ".";
  return members.map((member) => (owner === "" ? member : `${owner}${joint}${member}`));
}

/** The page of `docs/` that lists every call with its source. */
export function hostCallTable(calls: readonly HostCall[]): string {
  const files = new Map(calls.map((call) => [call.name, call.files]));
  const counted = (source: string) =>
    HOST_CALLS.filter((row) => row.source === source).reduce((sum, { members }) => sum + members.length, 0);
  const rows = [...HOST_CALLS].sort((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0));
  const total = HOST_CALLS.reduce((sum, { members }) => sum + members.length, 0);
  const sources = ["measured", "documentation", "types", "inferred"].map((source) => `${counted(source)} ${source}`);
  return [
    "# Every call of the host",
    "",
    "Made by `npm run host-calls` from the code and from `scripts/host-calls/host-call-sources.ts`; a test fails when it is not up to date.",
    "",
    `${total} members of Premiere, of UXP and of its document are used: ${sources.join(", ")}.`,
    "*Measured*: others saw it work in a running Premiere. *Documentation*: Adobe describes it, or a sample of Adobe's uses it.",
    "*Types*: the vendor declares it, and nothing says how it behaves. *Inferred*: more is relied on than any source says; a fallback stands behind it.",
    "",
    "## What is inferred",
    "",
    "| Member | What is relied on | Where it does not hold | Code of the fallback |",
    "|---|---|---|---|",
    ...rows.flatMap(({ fallback, ...row }) =>
      fallback === undefined
        ? []
        : [`| ${listed(callNames(row))} | ${row.where} | ${fallback.does} | \`${fallback.code}\` |`],
    ),
    "",
    "## All of them",
    "",
    "| Of | Members | Source | Where it is said | Used in |",
    "|---|---|---|---|---|",
    ...rows.map((row) => {
      const used = new Set(callNames(row).flatMap((name) => files.get(name) ?? []));
      const owner = row.owner === "" ? "(global)" : `\`${row.owner}\``;
      return `| ${owner} | ${listed(row.members)} | ${row.source} | ${row.where} | ${places([...used].sort())} |`;
    }),
    "",
  ].join("\n");
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

/** A few files by their names; of many, how many. */
function places(files: readonly string[]): string {
  return files.length > 4 ? `${files.length} files` : files.map((file) => `\`${file}\``).join(", ");
}
