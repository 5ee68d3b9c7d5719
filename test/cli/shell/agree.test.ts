import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { agrees } from "../../../src/cli/shell/agree.ts";

/** A terminal at which something is typed. */
function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, output, shown: () => String(output.read()) };
}

test.each([
  ["y", true],
  ["YES ", true],
  ["", false],
  ["n", false],
  ["yesterday", false],
])("%j is the answer %s, after which nobody listens to the terminal any more", async (typed, isAgreed) => {
  const { input, output, shown } = terminal();
  const answer = agrees("Install it?", new AbortController().signal, { input, output });
  input.write(`${typed}\n`);
  expect(await answer).toBe(isAgreed);
  expect(shown()).toContain("Install it? [y/N] ");
  expect([input.isPaused(), input.listenerCount("data")]).toEqual([true, 0]);
});

test("who cancels is not asked any longer", async () => {
  const { input, output } = terminal();
  const controller = new AbortController();
  const answer = agrees("Install it?", controller.signal, { input, output });
  controller.abort(new Error("cancelled"));
  await expect(answer).rejects.toThrow("cancelled");
  expect([input.isPaused(), input.listenerCount("data")]).toEqual([true, 0]);
});
