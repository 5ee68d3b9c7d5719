// What the worksheet does in a browser: counts, keeps drafts, and saves the written lines as WebVTT.
(() => {
  const sheet = document.getElementById("lines");
  const fields = [...sheet.querySelectorAll("textarea")];
  const { key, language, pace, wordsPerMinute, charactersPerSecond, unit } = sheet.dataset;
  const status = document.getElementById("status");
  const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/gu;
  const WORD = /[\p{L}\p{N}]+(?:['’\-.][\p{L}\p{N}]+)*/gu;
  const count = (text, pattern) => (text.match(pattern) ?? []).length;
  const fold = (text) => text.replace(/\s+/g, " ").trim();
  let isKept = true;

  /** Words, or characters, of a text, and the seconds that the voice takes for it. */
  const measure = (text) => {
    const characters = count(text, UNSPACED);
    const words = count(text.replace(UNSPACED, " "), WORD);
    const seconds = ((words * 60) / wordsPerMinute + characters / charactersPerSecond) * pace;
    return { amount: unit === "characters" ? characters + words : words, seconds };
  };

  const show = (field) => {
    const { words, start, end } = field.dataset;
    const room = end - start;
    const { amount, seconds } = measure(field.value);
    const over = seconds - room;
    const line = document.getElementById(field.getAttribute("aria-describedby"));
    line.textContent =
      `${amount} of ${words} ${unit}, ${seconds.toFixed(1)} of ${room.toFixed(1)} s` +
      (over > 0.05 ? `: too long by ${over.toFixed(1)} s` : "");
    line.classList.toggle("over", over > 0.05);
  };

  const tell = () => {
    const written = fields.filter((field) => fold(field.value) !== "").length;
    status.textContent = `${written} of ${fields.length} lines written${isKept ? "" : "; save them before you close this page"}.`;
  };

  /** By its time a line is known in a later sheet of the same programme, whatever else has changed. */
  const placeOf = ({ dataset: { start, end } }) => `${start}-${end}`;
  const drafts = () => JSON.parse(localStorage.getItem(key) ?? "{}");

  const keep = () => {
    try {
      const kept = drafts();
      for (const field of fields) {
        if (field.value === field.defaultValue) delete kept[placeOf(field)];
        else kept[placeOf(field)] = field.value;
      }
      localStorage.setItem(key, JSON.stringify(kept));
      isKept = true;
    } catch {
      isKept = false; // The browser keeps nothing for this page.
    }
  };

  const restore = () => {
    try {
      const kept = drafts();
      for (const field of fields) field.value = kept[placeOf(field)] ?? field.value;
    } catch {
      // Nothing was kept, or nothing can be.
    }
  };

  const clock = (seconds) => {
    const milliseconds = Math.round(seconds * 1000);
    const part = (unit, size, length) => String(Math.floor(milliseconds / unit) % size).padStart(length, "0");
    return `${part(3_600_000, 1_000, 2)}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)}.${part(1, 1_000, 3)}`;
  };

  const REFERENCES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "{": "&#123;" };
  const script = () => {
    const lines = fields.flatMap((field) => {
      const text = fold(field.value).replace(/[&<>{]/g, (character) => REFERENCES[character]);
      const { cue, start, end } = field.dataset;
      return text === "" ? [] : [`\n${cue}\n${clock(start)} --> ${clock(end)}\n${text}\n`];
    });
    return `WEBVTT\nKind: descriptions\nLanguage: ${language}\n${lines.join("")}`;
  };

  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([script()], { type: "text/vtt" }));
    link.download = "script.vtt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    isKept = true;
    tell();
  };

  restore();
  for (const field of fields) {
    show(field);
    field.addEventListener("input", () => {
      show(field);
      keep();
      tell();
    });
  }
  tell();
  for (const button of document.querySelectorAll("button[data-does]")) {
    button.addEventListener("click", button.dataset.does === "save" ? save : () => window.print());
    button.hidden = false;
  }
  window.addEventListener("beforeunload", (event) => {
    if (!isKept) event.preventDefault();
  });
})();
