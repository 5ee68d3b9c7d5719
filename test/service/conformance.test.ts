import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startService } from "../../src/service/main.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { deviationsOf, FETCHES_LOCALLY } from "./conformance-run.ts";

test("the embedded service passes the conformance suite, over HTTP alone", async () => {
  const dataFolder = await temporaryFolder();
  await writeFile(join(dataFolder, "aside.json"), JSON.stringify(FETCHES_LOCALLY));
  const service = await startService({ dataFolder, log: { level: "silent" } });
  try {
    expect(await deviationsOf(service.url, await service.processKey())).toEqual([]);
  } finally {
    await service.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
}, 300_000);
