/** Views that the panel's own menu leads to, by name: the first script tells Premiere of them. */
export const MENU_NAMES = { connect: "Service", keys: "Keys", diagnostics: "Diagnostics" } as const;

/** The words of a start that fails. They come with the first script, before all others. */
export const startWords = {
  title: "Aside could not start",
  failed: {
    load: "A part of Aside is missing, or Premiere cannot read it.",
    run: "Aside stopped with an error while it was loading.",
    open: "Aside stopped with an error while it was opening.",
  },
  next: "Try again. If it fails again, restart Premiere. If that does not help, install Aside again, and send us the report.",
  tryAgain: "Try again",
  copyReport: "Copy report",
  copied: "Copied. The report names no file and no person.",
  notCopied: "Aside cannot copy here. Select this text and copy it:",
} as const;
