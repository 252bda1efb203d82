"""Style sheet of the report: screens large and small, light and dark, and paper."""

CSS = """
:root{color-scheme:light dark;--paper:#fff;--card:#f6f8fa;--ink:#1c2733;--dim:#5f6b78;--line:#dde3e9;--edge:#7d8996;
--link:#1f5f8f;--fill:#2f6f9f;--goodink:#17663a;--goodbg:#e0f3e6;--badink:#9b1c1c;--badbg:#fde4e1;--warnink:#8a5200;--warnbg:#fdf0d5;
--mark:#ffe08a;--markink:#4a3500}
@media screen and (prefers-color-scheme:dark){:root{--paper:#12181e;--card:#1a222a;--ink:#e4e9ee;--dim:#9aa6b2;
--line:#303b46;--edge:#7a8794;--link:#82bdea;--fill:#6aa9d8;--goodink:#8fdcaa;--goodbg:#163524;--badink:#ffaea6;--badbg:#4a1b1a;
--warnink:#f5cb80;--warnbg:#3f2f10;--mark:#6b5312;--markink:#fff0c4}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1040px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:1.75rem;line-height:1.25;margin:.2em 0 .1em}
h2{font-size:1.25rem;margin:2.6em 0 .4em;padding-top:.5em;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.8em 0 .5em}
p{margin:.5em 0}
a{color:var(--link)}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.note,.dim{color:var(--dim)}
.note{max-width:75ch}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:18px 0 0;font-size:.9rem}
nav a{text-decoration:none}
.lead{font-size:1.08rem;max-width:75ch}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(135px,1fr));gap:10px;margin:20px 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.tiles b{display:block;font-size:1.5rem;line-height:1.3;font-variant-numeric:tabular-nums}
.tiles span{color:var(--dim);font-size:.85rem}
.badge{display:inline-block;padding:0 .6em;border-radius:999px;background:var(--card);border:1px solid var(--line);
font-size:.82rem;line-height:1.7;white-space:nowrap}
.badge.good{color:var(--goodink);background:var(--goodbg);border-color:transparent}
.badge.bad{color:var(--badink);background:var(--badbg);border-color:transparent}
.badge.warn{color:var(--warnink);background:var(--warnbg);border-color:transparent}
.badge.big{font-size:1rem;font-weight:600;padding:.1em .9em}
.alarm{background:var(--badbg);color:var(--badink);border-radius:8px;padding:12px 18px;margin:18px 0}
.alarm ul{margin:.3em 0;padding-left:1.2em}
.scroll{overflow-x:auto;margin:.8em 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.36em .8em .36em 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--dim);font-weight:500;white-space:nowrap}
td:last-child,th:last-child{padding-right:0}
td:first-child{overflow-wrap:anywhere}
.what{display:inline-block;min-width:10em}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.n .share{justify-content:flex-end}
.share{display:inline-flex;align-items:center;gap:.6em;font-variant-numeric:tabular-nums;white-space:nowrap}
.bar{display:inline-block;width:84px;height:9px;border-radius:3px;background:var(--line);overflow:hidden}
.bar i{display:block;height:100%;background:var(--fill)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(300px,100%),1fr));gap:14px 34px}
figure{margin:.6em 0;break-inside:avoid}
figure svg{width:100%;height:auto;display:block}
figure.funnel svg{max-width:600px}
figcaption{font-size:.9rem;font-weight:600;margin-bottom:.5em}
.pair{border:1px solid var(--line);border-radius:8px;margin:14px 0;break-inside:avoid;overflow:hidden}
.pair>header{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:baseline;padding:8px 14px;background:var(--card);
border-bottom:1px solid var(--line);font-size:.88rem}
.sides{display:grid;grid-template-columns:1fr 1fr}
.side{padding:10px 14px 12px;min-width:0}
.side+.side{border-left:1px solid var(--line)}
.side .title{margin:0 0 .4em;font-size:.82rem;font-weight:500;color:var(--dim);overflow-wrap:anywhere}
.text{white-space:pre-line;overflow-wrap:anywhere;font-size:.9rem}
.side .text,.pair .text{display:block}
mark{background:var(--mark);color:var(--markink);border-radius:2px;padding:0 1px;-webkit-print-color-adjust:exact;
print-color-adjust:exact}
.pair>footer{padding:6px 14px 8px;border-top:1px solid var(--line);font-size:.83rem;color:var(--dim)}
details{margin:.5em 0}
summary{cursor:pointer;color:var(--link)}
.plain{list-style:none;padding:0;margin:.4em 0}
.plain li{margin:.25em 0}
footer.end{margin-top:3em;color:var(--dim);font-size:.85rem}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.asked{display:flex;flex-wrap:wrap;gap:10px 14px;align-items:end;background:var(--card);border:1px solid var(--line);
border-radius:8px;padding:12px 14px;margin:14px 0}
.asked[hidden]{display:none}
.asked label{display:flex;flex-direction:column;gap:2px;font-size:.82rem;color:var(--dim);min-width:0;max-width:100%}
.asked .wide{flex:1 1 260px}
input,select,button{font:inherit;font-size:.9rem;color:var(--ink);background:var(--paper);border:1px solid var(--edge);
border-radius:6px;padding:.3em .6em;min-height:34px;max-width:100%}
.asked select{max-width:16em}
button{cursor:pointer;color:var(--link)}
button:disabled{color:var(--dim);cursor:default}
td button{white-space:nowrap;min-height:26px;padding:.05em .6em;font-size:.82rem}
.pager{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.pager[hidden]{display:none}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
progress{width:100%;accent-color:var(--fill)}
.answers{position:sticky;bottom:0;background:var(--paper);padding:10px 0;border-top:1px solid var(--line)}
nav a[aria-current]{color:var(--ink);font-weight:600}
.command{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin:.5em 0}
.command code{flex:1 1 300px;min-width:0;background:var(--paper);border:1px solid var(--line);
border-radius:6px;padding:.4em .6em}
.grounds{list-style:none;padding:0;margin:.5em 0}
.grounds li{display:grid;grid-template-columns:minmax(0,1fr) 140px 12em;gap:4px 12px;align-items:center;margin:.3em 0}
.axis{position:relative;height:11px;background:linear-gradient(var(--dim),var(--dim)) center/1px 100% no-repeat}
.axis i{position:absolute;top:1px;bottom:1px;border-radius:2px;background:var(--fill)}
.axis i.against{background:var(--badink)}
.heat{display:inline-block;min-width:100%;padding:0 .3em;border-radius:3px;
background:color-mix(in srgb,var(--fill) calc(var(--share)*1%),transparent)}
@media(max-width:640px){.grounds li{grid-template-columns:1fr 1fr}
.grounds li>:first-child{grid-column:1/-1}.asked label{flex:1 1 40%}
.asked .wide{flex-basis:100%}.asked select{max-width:100%}}
@media(max-width:640px){main{padding:18px 14px 40px}h1{font-size:1.4rem}.sides{grid-template-columns:1fr}
.side+.side{border-left:0;border-top:1px solid var(--line)}.bar{width:52px}}
@media print{body{font-size:10.5pt}main{max-width:none;padding:0}nav{display:none}h2{break-after:avoid}
.scroll{overflow:visible}tr{break-inside:avoid}.bar,.bar i,.badge,.alarm{-webkit-print-color-adjust:exact;
print-color-adjust:exact}}
"""
