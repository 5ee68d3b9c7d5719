import { expect, test } from "vitest";
import { startModelServer } from "../../fakes/model-server.ts";
import { type ReplyOutcome, replyDialects, replyOutcome } from "./reply-dialects.ts";

test("of the ways in which servers answer, none is taken for what it does not say", async () => {
  const found: Record<ReplyOutcome, string[]> = { right: [], refused: [], wrong: [] };
  const cells = [...replyDialects(false)];
  await Promise.all(
    cells.map(async (cell) => {
      const server = await startModelServer(() => cell.reply);
      found[await replyOutcome(server, cell)].push(cell.name);
    }),
  );
  expect(found.wrong).toEqual([]);
  // What is answered is understood, and only what is no answer is refused.
  expect(found.right).toHaveLength(cells.filter(({ truth }) => truth === "answer").length);
});
