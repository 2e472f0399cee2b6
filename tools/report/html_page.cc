#include "tools/report/html_page.h"

#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/sha256.h"
#include "base/version.h"
#include "tools/report/markup.h"
#include "tools/report/text_table.h"

namespace autotune {
namespace {

// Colours are told apart by people who do not see red and green (Okabe & Ito's
// blue and vermilion, and a teal); signs, shapes and dashes say the same.
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1a1f29;
--soft:#5a6474;--line:#dfe3ea;--grid:#e8ebf0;--base:#2467b3;--cont:#b4470f;
--good:#0b7a5c;--bad:#b3261e;--doubt:#8a6100;--goodbg:#e3f4ee;--badbg:#fbe7e4;
--doubtbg:#fbf0d6}
@media(prefers-color-scheme:dark){:root{--bg:#11141a;--card:#191e27;
--ink:#e6e9ef;--soft:#9aa5b6;--line:#2d3542;--grid:#262d39;--base:#74b1f2;
--cont:#f39a5d;--good:#4cc9a0;--bad:#ff8a80;--doubt:#e6be5a;--goodbg:#12332b;
--badbg:#3f1d1d;--doubtbg:#3a2f14}}
*{box-sizing:border-box}[hidden]{display:none!important}
body{margin:0;background:var(--bg);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
a{color:inherit;text-underline-offset:.2em;text-decoration-color:var(--soft)}
a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,
.wide:focus-visible{outline:2px solid var(--base);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem}
h1{font-size:1.05rem;font-weight:600;color:var(--soft);margin:1.4rem 0 .6rem}
h2{font-size:1.2rem;margin:2.2rem 0 .6rem}
h3{font-size:1.02rem;margin:0;overflow-wrap:anywhere}
p{margin:.4rem 0}code{font:.9em ui-monospace,"DejaVu Sans Mono",monospace;
overflow-wrap:anywhere}
.verdict{display:grid;grid-template-columns:auto 1fr;gap:.2rem 1rem;
align-items:center;background:var(--card);border:1px solid var(--line);
border-left:6px solid var(--soft);border-radius:8px;padding:1rem 1.2rem}
.verdict.good{border-left-color:var(--good)}
.verdict.bad{border-left-color:var(--bad)}
.verdict.doubt{border-left-color:var(--doubt)}
.verdict .word{font-size:1.9rem;font-weight:700;line-height:1.2}
.verdict .why{grid-column:1/-1;overflow-wrap:anywhere}
.big{font-size:1.9rem;font-weight:650;line-height:1.2;text-align:right;
font-variant-numeric:tabular-nums}
.big small{display:block;font-size:.85rem;font-weight:400;color:var(--soft)}
.good .word,.word.good,b.good{color:var(--good)}
.bad .word,.word.bad,b.bad{color:var(--bad)}
.doubt .word,.word.doubt,b.doubt{color:var(--doubt)}
.tally{display:flex;flex-wrap:wrap;gap:.5rem;padding:0;margin:.8rem 0;
list-style:none}
.tally li{background:var(--card);border:1px solid var(--line);
border-radius:99px;padding:.1rem .8rem}
.soft{color:var(--soft)}.small{font-size:.87rem}
.wide{overflow-x:auto;background:var(--card);border:1px solid var(--line);
border-radius:8px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.all{width:100%}
.all th,.all td{padding:.28rem .7rem;text-align:right;white-space:nowrap}
.all th{font-weight:500;color:var(--soft)}
.all tbody tr{border-top:1px solid var(--grid)}
.all tbody tr:hover{background:var(--bg)}
.all .n{text-align:left;white-space:normal;overflow-wrap:anywhere;
font-weight:500;color:var(--ink);min-width:13rem}
.all .w{text-align:left}
.all .f{padding:0 .4rem;width:300px}
.all tfoot{border-top:2px solid var(--line);font-weight:600}
.f svg{width:300px;height:auto;display:block}
svg{overflow:visible}.am{text-anchor:middle}.ae{text-anchor:end}
text{font-size:10px;fill:var(--soft)}
.f text{font-size:11px}
svg path,svg polyline,svg circle{fill:none;stroke-linecap:round;
stroke-linejoin:round}
.g{stroke:var(--grid)}.z{stroke:var(--soft);stroke-opacity:.55}
.m{stroke:var(--bad);stroke-dasharray:2 3;stroke-width:1.4}
.e{stroke:var(--good);stroke-dasharray:1 3;stroke-width:1.4}
.i{stroke:var(--soft);stroke-width:1.6}.p{stroke-width:1.6}
tr .p{stroke:var(--ink);fill:var(--ink)}
tr.good .p{stroke:var(--good);fill:var(--good)}
tr.bad .p{stroke:var(--bad);fill:var(--bad)}
tr.doubt .p{stroke:var(--doubt);fill:var(--card)}
.pairs{display:grid;gap:0 .8rem;
grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr))}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;
padding:.9rem 1.1rem;margin:.8rem 0;content-visibility:auto;
contain-intrinsic-size:auto 330px}
.card:target{outline:2px solid var(--base)}
.card>p{overflow-wrap:anywhere}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));
gap:.4rem 1.6rem;margin:.5rem 0 .3rem}
figure{margin:0;max-width:35rem}
figcaption{font-weight:600;font-size:.87rem;margin-bottom:.2rem}
figure svg{width:100%;height:auto;display:block}
.b{stroke:var(--base);stroke-opacity:.45;marker-start:url(#mb);
marker-mid:url(#mb);marker-end:url(#mb)}
.c{stroke:var(--cont);stroke-opacity:.45;stroke-dasharray:4 2;
marker-start:url(#mc);marker-mid:url(#mc);marker-end:url(#mc)}
.vb{stroke:none;marker-start:url(#mv);marker-mid:url(#mv);marker-end:url(#mv)}
.vc{stroke:none;marker-start:url(#mw);marker-mid:url(#mw);marker-end:url(#mw)}
.s{stroke:none}
.tb{stroke:var(--base);stroke-width:2.2}.tc{stroke:var(--cont);stroke-width:2.2}
.ic{stroke:var(--ink);stroke-width:1.6}
.up{stroke:var(--good);stroke-width:2.2;marker-mid:url(#mu)}
.dn{stroke:var(--bad);stroke-width:1.8;stroke-dasharray:5 3;
marker-mid:url(#md)}
.lu{stroke:var(--good);stroke-width:1.2;stroke-opacity:.8}
.ld{stroke:var(--bad);stroke-width:1.2;stroke-dasharray:5 3;stroke-opacity:.8}
.zone{fill:var(--goodbg);stroke:none}
.tu{fill:var(--good)}.td{fill:var(--bad)}.ti{fill:var(--ink);
paint-order:stroke;stroke:var(--card);stroke-width:3px}
.xu{stroke:var(--good);stroke-width:2}.xd{stroke:var(--bad);stroke-width:2}
#mb circle{fill:var(--card);stroke:var(--base);stroke-width:1.4}
#mu circle{fill:var(--good);stroke:none}#md circle{fill:var(--bad);stroke:none}
#mc path{fill:var(--cont);stroke:none}#mv path{stroke:var(--base)}#mw path{stroke:var(--cont)}
.keep{fill:var(--good);stroke:var(--good)}
.drop{fill:var(--card);stroke:var(--bad);stroke-width:1.6}
.open{fill:var(--card);stroke:var(--doubt);stroke-width:1.6}
.crash{stroke:var(--bad);stroke-width:2}
.ph{stroke:var(--line)}.gain{stroke:var(--good);stroke-width:2}
.pred{stroke:var(--base);stroke-width:2.4}
.harvest{stroke:var(--ink);fill:var(--card);stroke-width:1.6}
.course figure{max-width:none}.course svg{min-width:640px}
details{margin-top:.3rem}summary{cursor:pointer;color:var(--soft);
font-size:.87rem}
.num td,.num th{padding:.1rem .8rem .1rem 0;text-align:right;font-weight:400;
font-size:.84rem;white-space:nowrap}
.num thead th{color:var(--soft)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;
margin:.4rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
ul{padding-left:1.2rem;margin:.3rem 0}li{overflow-wrap:anywhere}
.tools{display:flex;gap:.6rem;flex-wrap:wrap;margin:.5rem 0}
.tools input,.tools select{font:inherit;color:inherit;background:var(--card);
border:1px solid var(--line);border-radius:6px;padding:.3rem .6rem}
.tools input{flex:1 1 14rem}
footer{padding:1.5rem 1.25rem 2.5rem;color:var(--soft);font-size:.87rem}
.key{display:inline-block;width:14px;height:12px;vertical-align:-1px}
@media(max-width:1180px){.all .o{display:none}}
@media(max-width:760px){.all .n{min-width:0}
.all thead .h{display:none}
.all tr{display:flex;flex-wrap:wrap;padding:.4rem 0}
.all th,.all td{padding:.05rem .7rem}.all .n{flex:1 0 50%}
.all .f{order:1;flex:1 0 100%;width:100%}.f svg{width:100%}
.all .t,.all .r{order:2}.all .r{color:var(--soft);padding-left:0}
.verdict{grid-template-columns:1fr}.big{text-align:left}
.verdict .word,.big{font-size:1.5rem}dl{grid-template-columns:1fr}
dt{margin-top:.3rem}.plots{grid-template-columns:minmax(0,1fr)}
figure{overflow-x:auto}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;
--grid:#ddd;--base:#2467b3;--cont:#b4470f;--good:#0b7a5c;--bad:#b3261e;
--doubt:#8a6100;--goodbg:#e3f4ee}
body{font-size:10.5pt;print-color-adjust:exact}.tools,.skip{display:none}
.card{content-visibility:visible;break-inside:avoid}
.wide{overflow:visible}tr,figure{break-inside:avoid}}
)css";

// Filters and sorts the rows; "/" reaches the filter.
constexpr std::string_view kScript = R"js(
(()=>{const t=document.querySelector("table.all tbody");
if(!t||t.rows.length<6)return;
const rows=[...t.rows].map((r,i)=>{const a=r.querySelector("a");
return{r,i,n:r.cells[0].textContent,
s:a&&document.querySelector(a.getAttribute("href"))}});
const box=document.createElement("input"),
sel=document.createElement("select"),say=document.createElement("output"),
bar=document.createElement("div");
bar.className="tools";box.type="search";
box.placeholder="Filter by name ( / )";
box.setAttribute("aria-label","Filter by name");
sel.setAttribute("aria-label","Order");
say.className="soft small";
for(const w of t.dataset.orders.split("|")){
const o=document.createElement("option");o.textContent=w;sel.append(o)}
bar.append(box,sel,say);t.closest(".wide").before(bar);
const show=()=>{const q=box.value.toLowerCase();let n=0;
for(const e of rows){const y=e.n.toLowerCase().includes(q);
e.r.hidden=!y;if(e.s)e.s.hidden=!y;n+=y}
say.textContent=q?n+" of "+rows.length:""};
box.addEventListener("input",show);
sel.addEventListener("change",()=>{const k=sel.selectedIndex;
const by=[...rows].sort((a,b)=>k==1?b.i-a.i:k==2?a.n.localeCompare(b.n,"en",
{numeric:true}):a.i-b.i);
t.append(...by.map(e=>e.r))});
addEventListener("keydown",e=>{if(e.key=="/"&&e.target==document.body){
e.preventDefault();box.focus()}});
})();
)js";

// 'sha256-...' of a Content Security Policy. Source: W3C, Content Security
// Policy Level 3, section 2.3.1.
std::string HashSource(std::string_view text) {
  return absl::StrCat(
      "'sha256-", absl::Base64Escape(absl::HexStringToBytes(Sha256Hex(text))),
      "'");
}

}  // namespace

std::string_view StyleClass(TextStyle style) {
  switch (style) {
    case TextStyle::kGood:
      return "good";
    case TextStyle::kBad:
      return "bad";
    case TextStyle::kDoubtful:
      return "doubt";
    default:
      return "";
  }
}

std::string_view StyleSign(TextStyle style) {
  switch (style) {
    case TextStyle::kGood:
      return "\u2713 ";
    case TextStyle::kBad:
      return "\u2717 ";
    case TextStyle::kDoubtful:
      return "? ";
    default:
      return "= ";
  }
}

std::string HtmlPage(std::string_view title, std::string_view body) {
  const std::string policy =
      absl::StrCat("default-src 'none'; style-src ", HashSource(kStyle),
                   "; script-src ", HashSource(kScript),
                   "; img-src data:; base-uri 'none'; form-action 'none'");
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      policy,
      "\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"generator\" content=\"autotune ",
      MarkupText(kVersion), "\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
      MarkupText(title), "</title>\n<style>", std::string(kStyle),
      "</style>\n</head>\n<body>\n", std::string(body), "\n<script>",
      std::string(kScript), "</script>\n</body>\n</html>\n");
}

}  // namespace autotune
