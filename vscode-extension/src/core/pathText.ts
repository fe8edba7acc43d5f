/** The server's Markdown about a path, as plain text with the places in it that can be clicked. */

export interface Link {
  line: number;
  from: number;
  to: number;
  /** A URI; its fragment `L12` names a line. */
  target: string;
}

export interface PlainPage {
  text: string;
  links: Link[];
}

const MARKDOWN_LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;

/** The preview does not follow links to files, a plain document does. */
export function plainPage(markdown: string): PlainPage {
  const links: Link[] = [];
  const lines = markdown.split("\n").map((source, line) => {
    const plain = source.replace(/^#+\s+/, "").replaceAll("**", "");
    let text = "";
    let done = 0;
    for (const match of plain.matchAll(MARKDOWN_LINK)) {
      const [whole, label = "", target = ""] = match;
      text += plain.slice(done, match.index);
      links.push({ line, from: text.length, to: text.length + label.length, target });
      text += label;
      done = match.index + whole.length;
    }
    return text + plain.slice(done);
  });
  return { text: lines.join("\n"), links };
}
