/** The whole look of the status page: no fonts, images or scripts from anywhere. */
export const statusStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1b1f24, #e8eaed);
  --soft: light-dark(#59636e, #9aa4b0);
  --line: light-dark(#d9dee4, #30363d);
  --page: light-dark(#f6f7f9, #0e1116);
  --card: light-dark(#ffffff, #161b22);
  --code: light-dark(#f1f3f5, #0b0e13);
  --accent: light-dark(#3b5bdb, #8da2fb);
  --good: light-dark(#1a7f4b, #56d38f);
  --bad: light-dark(#c0392b, #ff8a80);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
header { display: flex; align-items: center; gap: .9rem; margin-bottom: 1.75rem; }
.mark { display: grid; grid-template-columns: 1fr 1fr; gap: 3px; width: 2.4rem; height: 2.4rem; flex: none; }
.mark i { border-radius: 4px; background: var(--accent); }
.mark i:nth-child(2), .mark i:nth-child(3) { opacity: .45; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; letter-spacing: -.01em; }
header p { margin: .1rem 0 0; color: var(--soft); font-size: .95rem; }
.state { margin-left: auto; padding: .3rem .8rem; border: 1px solid currentColor; border-radius: 99px; font-size: .875rem; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); }
.bad { color: var(--bad); }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem; margin-bottom: 1.25rem; }
h2 { font-size: 1.05rem; margin: 0 0 .75rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: 1rem 1.5rem; margin: 0; }
.facts div { min-width: 0; }
.facts .wide { grid-column: 1 / -1; }
dt { color: var(--soft); font-size: .8125rem; }
dt::first-letter { text-transform: uppercase; }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.hint { color: var(--soft); margin: 0 0 .75rem; font-size: .9375rem; }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 0; }
summary { cursor: pointer; padding: .6rem 0; font-weight: 600; }
summary span { color: var(--soft); font-weight: 400; font-size: .875rem; margin-left: .5rem; }
summary:focus-visible, a:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; margin: 0 0 .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; margin-bottom: .75rem; font-size: .9375rem; }
th { text-align: left; color: var(--soft); font-size: .8125rem; font-weight: 500; }
th, td { padding: .4rem .75rem .4rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
td { overflow-wrap: anywhere; }
.name { width: 28%; }
.effect, .number { width: 4.5rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0; padding-left: .75rem; }
footer { color: var(--soft); font-size: .875rem; display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; }
a { color: var(--accent); }
@media (max-width: 34rem) { .summary-cell { display: none; } .name { width: auto; } main { padding-top: 1.5rem; } section { padding: 1rem; } }
`;
