import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Source } from "../../../src/engine/store/catalog-row.ts";
import { checkModel, inWords, removeModel } from "../../../src/engine/store/install.ts";
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

test("room is wanted for all that is missing, and for what archives become, whichever of the files is one", async () => {
  const { model, order } = await orderAt();
  const [file, other] = model.sources as [Source, Source];
  const archive = { kind: "zip", strip: 0, mostBytes: 1_000 } as const;
  const packed = { ...model, sources: [file, { ...other, archive }], installedBytes: 5e12 };
  smallDisk(1_000_000_000 + 4e12);
  await expect(order({}, [packed])).rejects.toThrow("It takes 5000.0 GB of the disk, and 4000.0 GB can be used");
  const [half, second] = [2.5e12, 2.5e12].map((bytes, index) => {
    return { ...model, id: `half-${index}`, sources: [{ ...file, bytes }] };
  });
  await expect(order({}, half && second ? [half, second] : [])).rejects.toThrow("It takes 5000.0 GB of the disk");
});

test("files that are whole in what a killed order left are fetched no second time", async () => {
  const { server, folder, order } = await orderAt();
  const left = join(folder, ".tones.1.new");
  await mkdir(left);
  await writeFile(join(left, "model.onnx"), WEIGHTS);
  await writeFile(join(left, "tokens.txt"), "a b");
  await order();
  expect(server.asked).toEqual([]);
  expect((await readdir(folder)).sort()).toEqual([".arriving", "tones"]);
  expect((await readInstalled(folder)).map(({ id }) => id)).toEqual(["tones"]);
});

test("a whole file that was damaged on the disk meanwhile is fetched again, and accuses nobody", async () => {
  const { server, folder, order } = await orderAt();
  server.answer("/repository/tokens.txt", (_request, reply) => reply.writeHead(404).end());
  await expect(order()).rejects.toMatchObject({ code: "model_unreachable" });
  const arriving = join(folder, ".arriving");
  const [name = ""] = (await readdir(arriving)).filter((one) => one.endsWith("model.onnx"));
  await writeFile(join(arriving, name), Buffer.alloc(WEIGHTS.length));
  await order();
  expect(await readFile(join(folder, "tones", "model.onnx"))).toEqual(WEIGHTS);
  expect(await readdir(arriving)).toEqual([]);
});

test("a model that another process holds is neither removed nor checked", async () => {
  const { folder, model, order, options } = await orderAt();
  await order();
  await writeFile(join(folder, ".tones.lock"), JSON.stringify({ process: process.ppid, own: "another" }));
  const { signal } = options;
  await expect(removeModel(model, folder, signal)).rejects.toMatchObject({ code: "model_refused" });
  await expect(checkModel(model, options)).rejects.toMatchObject({ code: "model_refused" });
  expect(await readInstalled(folder)).toHaveLength(1);
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
