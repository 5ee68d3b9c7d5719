import { expect, test } from "vitest";
import { type ContactAnswer, makeContact } from "../../src/host/contact.ts";
import { SetClock } from "../fakes/set-clock.ts";

const USUAL: ContactAnswer = { outcome: "usual", seen: "all there" };

test("every question of a first contact has its answer, in order, as soon as the last one has", async () => {
  const clock = new SetClock();
  const contact = makeContact(
    [
      { name: "sequence", run: () => clock.sleep(300).then(() => USUAL) },
      { name: "members", run: async () => ({ outcome: "differs", seen: "by another way" }) },
      { name: "loopback", run: () => Promise.reject(new Error("No such member.")) },
      { name: "presets", run: () => Promise.reject("text") },
    ],
    clock,
  );
  await clock.pass(300);
  expect(await contact).toEqual({
    milliseconds: 300,
    answers: [
      { name: "sequence", ...USUAL },
      { name: "members", outcome: "differs", seen: "by another way" },
      { name: "loopback", outcome: "open", seen: "raises: No such member." },
      { name: "presets", outcome: "open", seen: "raises: text" },
    ],
  });
  expect(clock.sleeping).toBe(0);
});

test("what has not answered within 1.8 seconds is open, and takes no other answer with it", async () => {
  const clock = new SetClock();
  let isMade = false;
  const contact = makeContact(
    [
      { name: "buttons", run: () => new Promise(() => undefined) },
      { name: "sound", run: () => clock.sleep(1_799).then(() => USUAL) },
      { name: "presets", run: () => new Promise(() => undefined) },
    ],
    clock,
  ).finally(() => {
    isMade = true;
  });
  await clock.pass(1_799);
  expect(isMade).toBe(false);
  await clock.pass(1);
  expect(isMade).toBe(true);
  const { answers, milliseconds } = await contact;
  expect(answers.map(({ name, outcome, seen }) => [name, outcome, seen])).toEqual([
    ["buttons", "open", "no answer in time"],
    ["sound", "usual", "all there"],
    ["presets", "open", "no answer in time"],
  ]);
  expect(milliseconds).toBe(1_800);
});
