import { expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { TransferProgress } from "../../../src/core/ports.ts";
import { installFromFiles } from "../../../src/workflow/models/install-from-files.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";

const FILES = ["model.onnx", "tokens.txt"].map((filename) => ({
  path: `/stick/${filename}`,
  filename,
  contentType: "application/octet-stream",
}));
const sentAs = (filename: string) => ({ mediaId: `m-${filename}`, storagePath: `s-${filename}` });

/** A service that takes files and installs from them. `during` happens while a file is sent to it. */
function installing(during: (path: string) => void = () => undefined) {
  const [dropped, ordered, shares]: [unknown[], unknown[], number[]] = [[], [], []];
  const client = {
    requestSignedUpload: async ({ filename, contentType }: (typeof FILES)[number]) => ({
      ...sentAs(filename),
      uploadUrl: filename,
      contentType,
    }),
    fetchModel: async (model: string, { sent, signal }: { sent: unknown; signal: AbortSignal }) => {
      ordered.push([model, sent, signal]);
      return "under way";
    },
    dropSound: async (sent: unknown) => {
      dropped.push(sent);
      throw new Error("gone already");
    },
  };
  const upload = async (request: { path: string; onProgress?: (progress: TransferProgress) => void }) => {
    during(request.path);
    request.onProgress?.({ doneBytes: 5, totalBytes: 10 });
    request.onProgress?.({ doneBytes: 10, totalBytes: 10 });
    return { status: 200, body: "" };
  };
  const transfer = { upload, download: () => Promise.reject(new Error("nothing is fetched")) };
  const { signal } = new AbortController();
  const install = (changes: object = {}) => {
    const parts = { client: { ...client, ...changes } as unknown as Client, transfer, clock: new InstantClock() };
    return installFromFiles(parts, "tones", FILES, { signal, onProgress: (share) => shares.push(share) });
  };
  return { dropped, ordered, shares, signal, install };
}

test("a model is ordered from all its files once each is there, each counting the same, and the service has them then", async () => {
  const { install, ordered, shares, dropped, signal } = installing();
  expect(await install()).toBe("under way");
  expect(ordered).toEqual([["tones", FILES.map(({ filename }) => sentAs(filename)), signal]]);
  expect(shares).toEqual([0.25, 0.5, 0.75, 1]);
  expect(dropped).toEqual([]);
});

test("whatever breaks off, all that was begun is removed, and what broke it is the error", async () => {
  const broken = new Error("broken off");
  const fail = () => {
    throw broken;
  };
  const second = installing((path) => (path.endsWith("tokens.txt") ? fail() : undefined));
  await expect(second.install()).rejects.toBe(broken);
  expect([second.dropped, second.ordered]).toEqual([FILES.map(({ filename }) => sentAs(filename)), []]);
  const refused = installing();
  await expect(refused.install({ fetchModel: () => Promise.reject(broken) })).rejects.toBe(broken);
  expect(refused.dropped).toHaveLength(2);
});
