import { Client } from "../src/client/client.ts";
import { premiereModule } from "../src/host/premiere/module.ts";
import { PremiereHost } from "../src/host/premiere/premiere-host.ts";
import { PlainAbortController, tellsListeners } from "../src/host/uxp/abort.ts";
import { setUpPanel, uxpRuntime } from "../src/host/uxp/modules.ts";
import { UxpTransfer } from "../src/host/uxp/uxp-transfer.ts";
import { describe } from "../src/workflow/describe.ts";
import { explain } from "../src/workflow/messages.ts";
import { planPlacement } from "../src/workflow/place.ts";
import { changeCue } from "../src/workflow/review.ts";

setUpPanel("aside", {
  create() {},
  show() {
    document.body.textContent =
      String(premiereModule) +
      String(uxpRuntime()) +
      tellsListeners(PlainAbortController) +
      [PremiereHost, UxpTransfer, Client, describe, explain, planPlacement, changeCue].join("");
  },
  hide() {},
  destroy() {},
});
