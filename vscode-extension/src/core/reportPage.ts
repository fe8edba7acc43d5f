/** The HTML report as a panel may show it. */

/** Inline styles and scripts are the page's own; nothing is loaded from anywhere. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:; " +
  "form-action 'none'; base-uri 'none'";

/** The page with a policy that keeps it from reaching anything outside itself. */
export function lockDown(page: string): string {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return /<head[^>]*>/i.test(page) ? page.replace(/<head[^>]*>/i, (head) => head + meta) : meta + page;
}
