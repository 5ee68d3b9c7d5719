import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepingProgramme } from "../../../src/cli/out-folder/kept-programme.ts";
import type { OutFolder } from "../../../src/cli/out-folder/out-folder.ts";
import type { RunRecord } from "../../../src/workflow/describe/recovery.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const MEDIA = { media: { mediaId: "m", isVerified: true }, exported: { path: "/film.mp4" } };

test("a programme is kept once its record is, and once it is whole; a record that fails keeps none", async () => {
  const programmePath = join(await temporaryFolder(), "programme.json");
  const kept = () => readFile(programmePath, "utf8").catch(() => null);
  const saving = Promise.withResolvers<void>();
  const saved: unknown[] = [];
  const store = {
    load: async () => null,
    save: async (record: unknown) => {
      saved.push(record);
      await saving.promise;
    },
  };
  const keeping = keepingProgramme(store as never, { programmePath } as OutFolder, "content");
  const record = { runId: "r", ...MEDIA } as unknown as RunRecord;
  const done = keeping.save(record);
  await turns();
  expect([saved, await kept()]).toEqual([[record], null]);
  saving.resolve();
  await done;
  expect(JSON.parse((await kept()) ?? "")).toEqual({ content: "content", ...MEDIA });
  const other = keepingProgramme(
    { ...store, save: () => Promise.reject(new Error("full")) } as never,
    { programmePath: `${programmePath}.other` } as OutFolder,
    "content",
  );
  await expect(other.save(record)).rejects.toThrow("full");
  await expect(readFile(`${programmePath}.other`)).rejects.toThrow("ENOENT");
});

test("a new run begins with the programme that is kept of the same content, and with no other", async () => {
  const store = { load: async (runId: string) => (runId === "known" ? { runId, name: "its own" } : null) };
  const known = { content: "content", ...MEDIA } as never;
  const load = (content: string, runId: string) =>
    keepingProgramme(store as never, {} as OutFolder, content, known).load(runId);
  expect(await load("content", "new")).toMatchObject({ runId: "new", ...MEDIA });
  expect(await load("content", "known")).toEqual({ runId: "known", name: "its own" });
  expect(await load("other", "new")).toBeNull();
});
