/** What a journey of the panel ended in, as the tests of the matrix write it down. */
type Ending = "done" | { readonly said: string; readonly isNamed: boolean };

/** What every journey ended in, by what a Premiere did otherwise: a version, a switch, or `member: how`. */
export type MatrixOfJourneys = Readonly<Record<string, Readonly<Record<string, Ending>>>>;

/** What came of everything else that is asked, by `member: how`. */
export type MatrixOfCalls = Readonly<Record<string, Readonly<Record<string, "done" | "told" | "less">>>>;

/** In the order in which a member is tried. */
const WAYS = ["later", "another shape", "refuses", "nothing", "throws late", "missing", "never"] as const;

const MARKS = { done: "done", told: "told", believed: "believed" } as const;

/** Switches that one table holds. */
const COLUMNS = 6;

/** The page of `docs/notes/` that shows how the panel's journeys end in every Premiere that the double can play. */
export function matrixPage(journeys: MatrixOfJourneys, calls: MatrixOfCalls): string {
  const columns = Object.keys(journeys);
  const members = columns.filter((name) => memberOf(name) !== null);
  const versions = columns.filter((name) => /^\d+\.\d$/.test(name));
  const random = columns.filter((name) => /^\d+\.\d; /.test(name));
  const others = new Set([...members, ...versions, ...random, "in good health"]);
  const switches = columns.filter((name) => !others.has(name));
  const rows = Object.keys(journeys["in good health"] ?? {});
  const count = (mark: keyof typeof MARKS) =>
    columns.reduce((sum, name) => sum + rows.filter((row) => markOf(journeys[name]?.[row]) === mark).length, 0);
  const names = [...new Set(members.map((name) => memberOf(name)?.[0] ?? ""))].sort();
  return [
    "# How the journeys end in a Premiere that disagrees",
    "",
    "Made by `npm run tool -- host-matrix`, which takes a quarter of an hour: it goes through the panel's journeys, on the double of",
    "Premiere, once for everything that the double can do otherwise (`test/panel/matrix`, `test/host/premiere/other-answers.test.ts`).",
    "",
    "*done*: as if nothing was otherwise. *told*: in a sentence that names the member, what was tried, and what to send. *believed*: an answer",
    "that a Premiere in good health gives too, where there is nothing; what follows from it is shown. Whatever it is, what is the editor's stays",
    "as it is, and the journey can be made as soon as Premiere is well.",
    "",
    `${columns.length} columns, ${columns.length * rows.length} journeys: ${count("done")} done, ${count("told")} told, ` +
      `${count("believed")} believed, none in anything else.`,
    "",
    "## Versions, as they were measured",
    "",
    ...table(rows, versions, (row, name) => markOf(journeys[name]?.[row])),
    "## Each switch of the double alone",
    "",
    ...chunks(switches).flatMap((some) => table(rows, some, (row, name) => markOf(journeys[name]?.[row]))),
    "## Each member alone",
    "",
    `How many of ${names.length} members; values of enumerations answer in three ways only.`,
    "",
    ...table(rows, WAYS, (row, way) => counted(members, way, (name) => markOf(journeys[name]?.[row]))),
    "Which journeys do not end done, by their first letters (o, d, p, e, t, r, c; in brackets: believed):",
    "",
    ...table(
      names,
      WAYS,
      (member, way) => letters(journeys[`${member}: ${way}`], rows),
      (name) => `\`${name}\``,
    ),
    "## Sets of them",
    "",
    `${random.length} sets at random, of a version, one to three members and sometimes a switch.`,
    "",
    ...table(rows, ["sets"], (row) => counted(random, "", (name) => markOf(journeys[name]?.[row]))),
    "## What is asked beside the journeys",
    "",
    "*less*: the answer holds less than it could, and nothing is changed.",
    "",
    ...callTables(calls, new Set(names)),
  ].join("\n");
}

/** Which other answers of each member are survived: every journey ends done, and so does everything else that asks it. */
export function survivalsOf(page: string): ReadonlyMap<string, readonly string[]> {
  const survived = new Map<string, readonly string[]>();
  for (const line of page.split("\n")) {
    const [, member, cells] = /^\| `([\w.]+)` \| (.*) \|$/.exec(line) ?? [];
    if (member === undefined || cells === undefined) continue;
    const marks = cells.split(" | ");
    survived.set(
      member,
      WAYS.filter((_, index) => marks[index] === MARKS.done),
    );
  }
  return survived;
}

function callTables(calls: MatrixOfCalls, known: ReadonlySet<string>): string[] {
  const columns = Object.keys(calls);
  const asked = [...new Set(columns.flatMap((name) => Object.keys(calls[name] ?? {})))];
  const names = [...new Set(columns.map((name) => memberOf(name)?.[0] ?? ""))]
    .filter((name) => !known.has(name))
    .sort();
  const ways = WAYS.filter((way) => way !== "never");
  return [
    ...table(asked, ways, (row, way) => counted(columns, way, (name) => calls[name]?.[row] ?? null)),
    "Members that are on no journey; the worst of what asks them:",
    "",
    ...table(
      names,
      ways,
      (member, way) => {
        const ends = Object.values(calls[`${member}: ${way}`] ?? {});
        return ends.find((end) => end === "told") ?? ends.find((end) => end === "less") ?? ends[0] ?? "";
      },
      (name) => `\`${name}\``,
    ),
  ];
}

function markOf(ending: Ending | undefined): keyof typeof MARKS | null {
  if (ending === undefined || ending === "done") return ending ?? null;
  return ending.isNamed ? "told" : "believed";
}

/** How many columns of one way ended in each mark. */
function counted(columns: readonly string[], way: string, mark: (name: string) => string | null): string {
  const counts = new Map<string, number>();
  for (const name of columns) {
    const found = way === "" || memberOf(name)?.[1] === way ? mark(name) : null;
    if (found !== null) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return [...counts].map(([found, times]) => `${times} ${found}`).join(", ");
}

function letters(endings: Readonly<Record<string, Ending>> | undefined, rows: readonly string[]): string {
  if (endings === undefined) return "";
  const marks = rows.map((row) => [row.charAt(0), markOf(endings[row])] as const);
  const told = marks.flatMap(([letter, mark]) =>
    mark === "told" ? [letter] : mark === "believed" ? [`(${letter})`] : [],
  );
  return told.length === 0 ? MARKS.done : told.join("");
}

/** The member and the way of a column that is about one. */
function memberOf(name: string): readonly [string, string] | null {
  const [, member, way] = /^([A-Z][\w.]+\.\w+): ([a-z ]+)$/.exec(name) ?? [];
  return member === undefined || way === undefined ? null : [member, way];
}

function chunks(names: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(names.length / COLUMNS) }, (_, index) =>
    names.slice(index * COLUMNS, (index + 1) * COLUMNS),
  );
}

function table(
  rows: readonly string[],
  columns: readonly string[],
  cell: (row: string, column: string) => string | null,
  titled: (row: string) => string = (row) => row,
): string[] {
  return [
    `| | ${columns.join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    ...rows.map((row) => `| ${titled(row)} | ${columns.map((column) => cell(row, column) ?? "").join(" | ")} |`),
    "",
  ];
}
