import { afterEach, describe, expect, test, vi } from "vitest";
import { actionOf, type Command, helpOf, parseArguments } from "../../../src/cli/shell/command.ts";
import { didYouMean, issueLines, optionOf, tableOf } from "../../../src/cli/shell/output.ts";
import { clock, lineOf, showProgress } from "../../../src/cli/shell/progress.ts";
import { abortOnCancel, Cancelled, EXIT, UsageError } from "../../../src/cli/shell/usage-error.ts";
import type { ParseIssue } from "../../../src/formats/parse-issue.ts";

// How a command reads its words, and how it says what it found: without a command.

const command: Command = {
  name: "paint",
  summary: "Paints.",
  synopsis: "<wall> [options]",
  notes: ["First note.", "Second note."],
  derivedNotes: async () => ["Derived note."],
  options: {
    level: { value: "NUMBER", help: "How high." },
    "a-name-of-nineteen-x": { value: "X", help: "As wide as the column is." },
    "a-name-of-nineteen-xy": { value: "X", help: "Wider than the column." },
    dry: { help: "Without paint." },
  },
  run: async () => EXIT.done,
};

describe("the words of a command", () => {
  test("are its options, with negative numbers for values, and what else stands there", () => {
    const { values, positionals } = parseArguments(command, ["wall", "--level", "-6.5", "--dry", "floor"]);
    expect([{ ...values }, positionals]).toEqual([{ level: "-6.5", dry: true }, ["wall", "floor"]]);
    expect(parseArguments(command, ["--level", "-.5"]).values["level"]).toBe("-.5");
    expect(parseArguments(command, ["--help"]).values["help"]).toBe(true);
    // After a switch it is no value, and no option either.
    expect(() => parseArguments(command, ["--dry", "-6"])).toThrow(UsageError);
  });

  test.each([
    [["--levl", "3"], /Unknown option '--levl'\. Did you mean "--level"\? See "aside paint --help"\./],
    [["--hepl"], /Did you mean "--help"\?/],
    [["--dri"], /Did you mean "--dry"\?/],
    [["--wholly-other"], /Unknown option '--wholly-other'\. See/],
    [["--level"], /--level/],
  ])("%j are refused with the nearest that there is", (args, message) => {
    expect(() => parseArguments(command, args)).toThrow(message);
  });

  test("are told by --help: each option, in its column or below it, then every note", async () => {
    expect(await helpOf(command)).toBe(
      [
        "Usage: aside paint <wall> [options]",
        "",
        "Paints.",
        "",
        "Options:",
        "  --level NUMBER            How high.",
        "  --a-name-of-nineteen-x X  As wide as the column is.",
        "  --a-name-of-nineteen-xy X",
        `${" ".repeat(28)}Wider than the column.`,
        "  --dry                     Without paint.",
        "  --help                    Show this help.",
        "",
        "Derived note.",
        "",
        "First note.",
        "",
        "Second note.",
      ].join("\n"),
    );
  });

  test("of several actions name one of them, and an id where it takes one", () => {
    const of = (...positionals: string[]) =>
      actionOf(command, { values: {}, positionals }, ["list", "show", "end"], ["show", "end"]);
    expect(of("list")).toEqual({ action: "list", id: "" });
    expect(of("end", "7")).toEqual({ action: "end", id: "7" });
    expect(of("show", "7")).toEqual({ action: "show", id: "7" });
    for (const [words, message] of [
      [[], "say what to do: aside paint list|show|end"],
      [["other"], 'say what to do: aside paint list|show|end, not "other"'],
      [["show"], "name one: aside paint show ID"],
      [["show", "7", "8"], 'aside paint show takes no "8"'],
      [["list", "7"], 'aside paint list takes no "7"'],
    ] as const) {
      expect(() => of(...words)).toThrow(new UsageError(message));
    }
  });
});

describe("what is told", () => {
  test("is a table whose columns are as wide as their widest cells, and no line ends with blanks", () => {
    expect(
      tableOf(
        ["A", "Longer", "C"],
        [
          ["1", "2", "3"],
          ["wide", "", "x y"],
          ["z", "longest of all", ""],
        ],
      ).split("\n"),
    ).toEqual([
      "A     Longer          C",
      "1     2               3",
      "wide                  x y",
      "z     longest of all",
    ]);
    expect(tableOf(["A", "B"], [])).toBe("A  B");
  });

  test("of a text is twenty issues by their lines, and how many more there are", () => {
    const issue = (line: number, text = ""): ParseIssue => ({
      code: "bad-entry",
      effect: "dropped",
      line,
      text,
      message: `m${line}`,
    });
    expect(issueLines([issue(0), issue(3, "x")])).toEqual(["m0", "line 3: m3: x"]);
    const many = (count: number) => Array.from({ length: count }, (_, index) => issue(index + 1));
    expect(issueLines(many(20))).toEqual(many(20).map(({ line }) => `line ${line}: m${line}`));
    expect(issueLines(many(22)).slice(19)).toEqual([
      "line 20: m20",
      '... and 2 more; "aside convert --json" lists them all',
    ]);
  });

  test("of a choice is each option that says it", () => {
    expect(optionOf({ start: "10:00:00:00", unit: "ms", rate: "25", column: "E" })).toBe(
      "--text-start 10:00:00:00 --text-unit ms --text-rate 25 --columns text=E",
    );
    expect(optionOf({ rate: "25" })).toBe("--text-rate 25");
  });

  test.each([
    ["descrbe", "describe"],
    ["DESCRIBE", "describe"],
    ["dscribe", "describe"],
    ["jbs", "jobs"],
    ["job", "jobs"],
    ["joob", "jobs"],
    ["ky", "keys"],
    ["kx", null],
    ["dscrb", null],
    ["xyz", null],
    ["", null],
  ])("for %j is %s meant", (word, meant) => {
    const said = meant === null ? "" : ` Did you mean "${meant}"?`;
    expect(didYouMean(word, ["convert", "jobs", "describe", ...(word === "ky" ? ["key"] : [])])).toBe(
      word === "ky" ? ' Did you mean "key"?' : said,
    );
  });
});

describe("how far a command is", () => {
  const shown = (isTTY: boolean, columns?: number) => {
    let now = 0;
    const pieces: string[] = [];
    const stream = {
      isTTY,
      ...(columns === undefined ? {} : { columns }),
      write: (text: string) => void pieces.push(text),
    };
    return { pieces, progress: showProgress(stream, () => now), at: (seconds: number) => (now = seconds * 1000) };
  };
  const RESET = "\r\u001b[2K";

  test.each([
    [0, "0:00"],
    [59.9, "0:59"],
    [60, "1:00"],
    [67, "1:07"],
    [3_600, "60:00"],
  ])("%d s are %s", (seconds, told) => {
    expect(clock(seconds)).toBe(told);
  });

  test("is a line of its step, its share, its detail and its time", () => {
    const step = { step: "wait", state: "under-way", fraction: 0.459, detail: "voice" } as const;
    expect(lineOf(step, 61)).toBe("Describe  45 %  voice  1:01");
    expect(lineOf({ ...step, detail: "", part: { number: 2, count: 3 } }, 0)).toBe("Describe (2 of 3)  45 %  0:00");
  });

  test("is a plain line each ten seconds where nobody looks on", () => {
    const { pieces, progress, at } = shown(false);
    const running = (fraction: number) => progress.update({ step: "wait", state: "under-way", fraction });
    running(0);
    at(9.999);
    running(0.1);
    at(10);
    running(0.2);
    at(15);
    running(0.3);
    at(20);
    running(0.4);
    at(65);
    progress.update({ step: "wait", state: "done" });
    at(66);
    progress.update({ step: "fetch", state: "under-way" });
    at(67);
    progress.update({ step: "fetch", state: "done" });
    progress.end();
    expect(pieces).toEqual([
      "Describe ...\n",
      "Describe  20 %  0:10\n",
      "Describe  40 %  0:20\n",
      "Describe: done, 1:05\n",
      "Fetch the sound ...\n",
      "Fetch the sound: done, 0:01\n",
    ]);
  });

  test("is one line on a terminal, drawn each second until the end and cut to its width", () => {
    vi.useFakeTimers();
    const { pieces, progress, at } = shown(true, 30);
    progress.update({ step: "wait", state: "under-way", detail: "x".repeat(50) });
    at(1);
    vi.advanceTimersByTime(1_000);
    vi.advanceTimersByTime(999);
    expect(pieces.map((piece) => piece.slice(RESET.length).length)).toEqual([29, 29]);
    progress.update({ step: "wait", state: "under-way" });
    at(62);
    progress.update({ step: "wait", state: "done" });
    expect(pieces.slice(2)).toEqual([`${RESET}● Describe  0:01`, `${RESET}✓ Describe  1:02\n`]);
    progress.update({ step: "fetch", state: "under-way" });
    const before = pieces.length;
    progress.end();
    expect(pieces.slice(before)).toEqual([RESET]);
    vi.advanceTimersByTime(10_000);
    expect([pieces.length, vi.getTimerCount()]).toEqual([before + 1, 0]);
  });

  test("fits a terminal of eighty columns where nobody says how wide it is", () => {
    vi.useFakeTimers();
    const { pieces, progress } = shown(true);
    progress.update({ step: "wait", state: "under-way", detail: "x".repeat(100) });
    progress.end();
    expect(pieces[0]?.slice(RESET.length).length).toBe(79);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("being told to stop", () => {
  /** What listens for the signals of the process, without one being sent. */
  function listening(limitMs?: number) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const heard = new Map<string, () => void>();
    vi.spyOn(process, "on").mockImplementation((name, work) => {
      heard.set(String(name), work as () => void);
      return process;
    });
    vi.spyOn(process, "once").mockImplementation(() => process);
    const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
    let said = 0;
    const signal = abortOnCancel(() => said++, limitMs);
    return { heard, exit, signal, said: () => said };
  }

  test.each([
    ["SIGINT", true],
    ["SIGTERM", false],
    ["SIGHUP", false],
  ])("%s aborts the command, and stops its work where that is Ctrl-C: %s", (name, stopsWork) => {
    const { heard, signal } = listening();
    expect(signal.aborted).toBe(false);
    heard.get(name)?.();
    expect(signal.reason).toBeInstanceOf(Cancelled);
    expect(signal.reason).toMatchObject({ message: "Cancelled.", stopsWork });
  });

  test("twice ends the process, unless both are one Ctrl-C that came by two ways", () => {
    const { heard, exit, said } = listening();
    heard.get("SIGINT")?.();
    vi.advanceTimersByTime(300);
    heard.get("SIGTERM")?.();
    expect([exit.mock.calls, said()]).toEqual([[], 0]);
    vi.advanceTimersByTime(1);
    heard.get("SIGINT")?.();
    expect([exit.mock.calls, said()]).toEqual([[[130]], 1]);
  });

  test.each([
    [undefined, 900],
    [5_000, 5_000],
  ])("gives the time that was asked for (%s) to clean up, then ends the process", (limitMs, milliseconds) => {
    const { heard, exit, said } = listening(limitMs);
    heard.get("SIGINT")?.();
    vi.advanceTimersByTime(milliseconds - 1);
    expect(exit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([exit.mock.calls, said()]).toEqual([[[130]], 1]);
  });
});
