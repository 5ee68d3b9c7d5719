import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Source } from "../../../src/engine/store/catalog-row.ts";
import { inWords } from "../../../src/engine/store/install.ts";
import { readInstalled } from "../../../src/engine/store/installed.ts";
import { smallDisk } from "../../fakes/disk-room.ts";
import { redirectTo, startFileServer } from "../../fakes/file-server.ts";
import { orderAt, WEIGHTS } from "./order-at.ts";

test.each([
  [999_000_001, "1000 MB"],
  [1_000_000_000, "1.0 GB"],
  [1, "1 MB"],
])("%i bytes are told as %s", (bytes, words) => {
  expect(inWords(bytes)).toBe(words);
});

test("a busy server is asked again later, one that has no such file is not", async () => {
  const { server, order, ranges } = await orderAt();
  server.answer("/repository/model.onnx", (_request, reply) => reply.writeHead(503, { "retry-after": "0" }).end());
  await order();
  expect(ranges()).toHaveLength(2);
  const { server: other, order: again } = await orderAt();
  other.files.delete("/repository/model.onnx");
  await expect(again()).rejects.toThrow("answers 404 for model.onnx");
  expect(other.asked).toHaveLength(1);
});

test("a redirect to https is followed, one to http is refused by name", async () => {
  const { server, folder, order } = await orderAt();
  const elsewhere = await startFileServer({ "/cdn": WEIGHTS });
  server.answer("/repository/model.onnx", redirectTo(`${elsewhere.origin}/cdn`));
  await order();
  expect([elsewhere.asked.length, (await readInstalled(folder)).length]).toEqual([1, 1]);
  const { server: other, folder: empty, order: again } = await orderAt();
  other.answer("/repository/model.onnx", redirectTo("http://cdn.example/model.onnx"));
  await expect(again()).rejects.toThrow(/localhost:\d+ leads to http:\/\/cdn\.example, which is not https/);
  expect((await readdir(empty)).filter((name) => !name.startsWith("."))).toEqual([]);
});

test("eight redirects are followed, and no ninth", async () => {
  const { server, folder, order } = await orderAt();
  const itself = redirectTo(`${server.origin}/repository/model.onnx`);
  server.answer("/repository/model.onnx", ...Array.from({ length: 9 }, () => itself));
  await expect(order()).rejects.toThrow(/localhost:\d+ leads from one address to the next/);
  server.answer("/repository/model.onnx", ...Array.from({ length: 8 }, () => itself));
  await order();
  expect(await readInstalled(folder)).toHaveLength(1);
});

test("the room on the disk is checked before anything is fetched", async () => {
  const { server, model, order } = await orderAt();
  const [source] = model.sources;
  const huge = { ...model, sources: [{ ...source, bytes: 1e15 } as Source] };
  await expect(order({}, [huge])).rejects.toMatchObject({ code: "model_no_room" });
  await expect(order({}, [huge])).rejects.toThrow(/It takes 1000000\.0 GB of the disk, and .* can be used/);
  expect(server.asked).toEqual([]);
});

test("a gigabyte of the disk stays free, to the byte", async () => {
  const { server, model, order } = await orderAt();
  const [source] = model.sources;
  const ofBytes = (bytes: number) => order({}, [{ ...model, sources: [{ ...source, bytes } as Source] }]);
  // In whole blocks.
  smallDisk(1_000_000_000 + 1_536);
  await expect(ofBytes(1_537)).rejects.toMatchObject({ code: "model_no_room" });
  expect(server.asked).toEqual([]);
  await expect(ofBytes(1_536)).rejects.toThrow("has another size than it should");
});

test("a model that another process holds is refused, until that gives no sign for a minute", async () => {
  const { folder, order } = await orderAt();
  const lock = join(folder, ".tones.lock");
  await writeFile(lock, JSON.stringify({ process: process.ppid, own: "another" }));
  const now = Date.now() / 1000;
  await utimes(lock, now, now - 40);
  await expect(order()).rejects.toMatchObject({ code: "model_refused" });
  await utimes(lock, now, now - 61);
  await order();
  expect(await readInstalled(folder)).toHaveLength(1);
});
