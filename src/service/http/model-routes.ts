import type { FastifyInstance, FastifyReply } from "fastify";
import { FetchModelRequest, type ModelsReply } from "../../contract/models.ts";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { closeSpeechEngines, endEyes } from "../../engine/index.ts";
import { StoreError } from "../../engine/store/fetch-file.ts";
import type { GivenFile } from "../../engine/store/given-files.ts";
import { dropUpload } from "../ingest/receive-upload.ts";
import { ModelStore, type SentFiles } from "../models/model-store.ts";
import type { MediaRecord } from "../storage/media-records.ts";
import { findFreshUpload } from "./media-routes.ts";
import { parseRequest } from "./parse-request.ts";
import { callerOf, type ServiceParts, senderSignal } from "./service-parts.ts";
import { refuseSetting } from "./settings-routes.ts";

/** Of a route that names a model. */
interface ModelNamed {
  Params: { model: string };
}

/**
 * The models of this computer. An order goes on when its client is gone, until the service ends. A request names no path of the
 * service's computer: who brings files sends them as an upload.
 */
export function addModelRoutes(app: FastifyInstance, parts: ServiceParts): void {
  const { settings, database, objects, folders } = parts;
  const store = new ModelStore({
    variables: () => settings.variables([]),
    folder: settings.modelsFolder,
    isWorking: async () => {
      const rows = await database.query("SELECT 1 FROM aside.job WHERE status = 'processing' LIMIT 1");
      return rows.length > 0;
    },
    release: () => Promise.all([closeSpeechEngines(), endEyes()]),
    offer: parts.models,
  });
  app.addHook("onClose", () => store.cancel());
  const look = (reply: FastifyReply): Promise<ModelsReply> => store.look(senderSignal(reply)).catch(refuseSetting);
  const drop = (uploads: readonly MediaRecord[]) =>
    Promise.all(uploads.map((media) => dropUpload({ database, objects, incoming: folders.incoming }, media)));

  app.get(SERVED_ROUTES.getModels.path, (_request, reply) => look(reply));

  app.post(SERVED_ROUTES.fetchModel.path, async (request, reply) => {
    const { value } = parseRequest(FetchModelRequest, request.body);
    if (value.uploads === undefined) {
      await store.start(value.model).catch(refuseSetting);
      return look(reply);
    }
    const uploads: MediaRecord[] = [];
    for (const upload of value.uploads) uploads.push(await findFreshUpload(parts, callerOf(request), upload));
    await store.start(value.model, sentFiles(parts, uploads, drop)).catch(async (error: unknown) => {
      await drop(uploads);
      refuseSetting(error);
    });
    return look(reply);
  });

  app.delete(SERVED_ROUTES.cancelFetch.path, async (_request, reply) => {
    await store.cancel();
    return look(reply);
  });

  app.delete<ModelNamed>(SERVED_ROUTES.removeModel.path.replace("{model}", ":model"), async (request, reply) => {
    await store.remove(request.params.model, senderSignal(reply)).catch(refuseSetting);
    return look(reply);
  });

  app.post<ModelNamed>(SERVED_ROUTES.checkModel.path.replace("{model}", ":model"), async (request, reply) => {
    await store.check(request.params.model).catch(refuseSetting);
    return look(reply);
  });
}

/** Uploads as files of this computer, under the names that they were sent by; given back, they are gone. */
function sentFiles(
  { objects }: Pick<ServiceParts, "objects">,
  uploads: readonly MediaRecord[],
  drop: (uploads: readonly MediaRecord[]) => Promise<unknown>,
): SentFiles {
  return {
    async lend(signal) {
      await using borrowed = new AsyncDisposableStack();
      borrowed.defer(async () => void (await drop(uploads)));
      const files: GivenFile[] = [];
      for (const { storageKey, fileName } of uploads) {
        const name = fileName ?? "";
        if ((await objects.stat(storageKey)) === null)
          throw new StoreError("model_unknown", `${name} has not arrived whole. Send it again.`);
        const file = await objects.borrow(storageKey, signal);
        borrowed.defer(() => file.release());
        files.push({ name, path: file.path });
      }
      const held = borrowed.move();
      return { files, giveBack: () => held.disposeAsync() };
    },
  };
}
