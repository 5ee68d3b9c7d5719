import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { reportFailure } from "../../../src/cli/shell/failure.ts";
import { processOutput } from "../../../src/cli/shell/output.ts";
import { showProgress } from "../../../src/cli/shell/progress.ts";
import { chosenReading, readingTexts, textReading } from "../../../src/cli/shell/run-command.ts";
import { RunningJobs } from "../../../src/cli/shell/running-jobs.ts";
import { EXIT } from "../../../src/cli/shell/usage-error.ts";
import { TIME_UNITS, type Verdict } from "../../../src/core/verdict.ts";
import { TextHeldBack } from "../../../src/workflow/errors.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the process's own streams", () => {
  /** What listens for the errors of a stream once the output was asked for; it no longer does when the test is over. */
  function listening(stream: NodeJS.WriteStream): (error: Error) => void {
    const before = new Set(stream.listeners("error"));
    processOutput();
    const added = stream.listeners("error").filter((one) => !before.has(one));
    expect(added).toHaveLength(1);
    return added[0] as (error: Error) => void;
  }

  test.each(["stdout", "stderr"] as const)("end nothing where the reader of %s goes away", (name) => {
    const kept = ["stdout", "stderr"] as const;
    const before = kept.map((one) => [process[one], process[one].listeners("error")] as const);
    onTestFinished(() => {
      for (const [stream, listeners] of before) {
        for (const one of stream.listeners("error"))
          if (!listeners.includes(one)) stream.off("error", one as () => void);
      }
    });
    const heard = listening(process[name]);
    expect(() => heard(Object.assign(new Error("gone"), { code: "EPIPE" }))).not.toThrow();
    expect(() => heard(Object.assign(new Error("full"), { code: "ENOSPC" }))).toThrow("full");
  });
});

describe("what is said of texts on the command line", () => {
  const output = { print: () => undefined, tell: () => undefined };
  const reading = (values: Record<string, string>) =>
    readingTexts({ values, positionals: [] }, output, async () => [chosenReading(), textReading()?.encoding] as const);

  test("is known to whoever reads one, and to nobody outside of the command", async () => {
    for (const unit of TIME_UNITS) expect((await reading({ "text-unit": unit }))[0]).toMatchObject({ unit });
    const values = { "text-start": "10:00:00:00", "text-rate": "25", encoding: "latin1", columns: "text=C" };
    const [choice, encoding] = await reading(values);
    expect(choice).toMatchObject({ startLabel: "10:00:00:00", textRate: { numerator: 25, denominator: 1 } });
    expect([Object.keys(choice).sort(), encoding]).toEqual([["columns", "startLabel", "textRate"], "latin1"]);
    expect([chosenReading(), textReading()]).toEqual([{}, undefined]);
  });

  test.each([
    [{ "text-start": "soon" }, '--text-start: "soon" is no timecode'],
    [{ "text-unit": "miles" }, `--text-unit: there is no unit "miles"; give ${TIME_UNITS.join(", ")}`],
    [{ "text-rate": "fast" }, '--text-rate: "fast" is no frame rate'],
  ])("%j is refused", async (values, message) => {
    await expect(async () => reading(values)).rejects.toThrow(message);
  });
});

test("a text that may be read in several ways is told to a program with the option of each", () => {
  const reading = (unit: "s" | "frames") => ({ label: unit, choice: { unit }, fitting: 1, lines: 2, preview: [] });
  const verdict = { kind: "unsure", question: "Which unit?", readings: [reading("s"), reading("frames")] };
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), tell: () => undefined };
  const held = new TextHeldBack("Which unit?", verdict as unknown as Verdict);
  expect(reportFailure(held, output, true, {})).toBe(EXIT.findings);
  const told: { verdict: { readings: { option: string }[] } } = JSON.parse(printed[0] ?? "");
  expect(told.verdict.readings.map(({ option }) => option)).toEqual(["--text-unit s", "--text-unit frames"]);
});

test("of several jobs that go on each is said with how it is stopped", () => {
  const jobs = new RunningJobs();
  for (const jobId of ["a", "b"]) jobs.begin({ jobId, host: "host", stopCommand: `stop ${jobId}` });
  expect(jobs.words.next).toBe("To stop them: stop a; stop b");
  expect(jobs.forced).toBe(
    "Job a is still running on host. Job b is still running on host. To stop them: stop a; stop b",
  );
});

test("two things that are kept stand side by side", () => {
  const jobs = new RunningJobs();
  jobs.stopped("a", ["the upload", "the shots"]);
  expect(jobs.words.sentence).toBe("Cancelled. Kept: the upload and the shots.");
});

test.each([true, false])("a step says how long it took by the clock of the process (at a terminal: %s)", (isTTY) => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const pieces: string[] = [];
  const progress = showProgress({ isTTY, write: (text) => void pieces.push(text) });
  progress.update({ step: "upload", state: "begun" });
  vi.advanceTimersByTime(67_000);
  progress.update({ step: "upload", state: "done" });
  progress.end();
  expect(pieces.at(-1)).toMatch(/Upload.* 1:07\n$/);
});
