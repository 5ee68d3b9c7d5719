import { expect, test } from "vitest";
import { inOneVoice, type Question } from "../../../src/engine/models/question.ts";

const schema = { name: "lines", strict: true, schema: {} } as const;
const question = (turns: Question["turns"]): Question => ({ system: "Be brief.", turns, schema });

test("instructions stand at the head of the first message, in front of its words and pictures", () => {
  const jpeg = Buffer.of(1);
  const asked = inOneVoice(
    question([
      { from: "user", parts: [{ text: "What is this?" }, { jpeg }] },
      { from: "model", words: "A boat." },
      { from: "user", parts: [{ text: "And this?" }] },
    ]),
  );
  expect(asked).toEqual({
    ...{ system: "", schema },
    turns: [
      { from: "user", parts: [{ text: "Be brief." }, { text: "What is this?" }, { jpeg }] },
      { from: "model", words: "A boat." },
      { from: "user", parts: [{ text: "And this?" }] },
    ],
  });
});

test("they are a message of their own where the model speaks first, or nobody does", () => {
  const words = { from: "model", words: "A boat." } as const;
  const own = { from: "user", parts: [{ text: "Be brief." }] };
  expect(inOneVoice(question([words])).turns).toEqual([own, words]);
  expect(inOneVoice(question([])).turns).toEqual([own]);
});
