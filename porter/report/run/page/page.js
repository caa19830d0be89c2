"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const search = document.getElementById("search");
  const help = document.getElementById("help");
  const STATES = ["ported", "translated", "unchanged", "open", "crashed", "waiting"];
  const OUTCOMES = ["ported", "partial", "declined", "failed"];
  const KINDS = { kernels: "with kernels", cuda: "header or host code", build: "build file" };
  const MOST_ROWS = 2000;
  let filter = "";
  let selected = 0;
  let afterG = 0;

  // --- elements: every string from the run becomes text, never markup ---

  const add = (parent, children) => {
    for (const child of children.flat(Infinity)) {
      if (child !== null && child !== undefined && child !== false) parent.append(child);
    }
    return parent;
  };
  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    return add(node, children);
  };
  const svg = (tag, attributes, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return add(node, children);
  };
  const tag = (word) => el("span", { class: `tag ${word}` }, word);
  const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
  const sum = (object) => Object.values(object).reduce((a, b) => a + b, 0);

  // --- what is searched ---

  const haystack = new Map();
  const textOf = (item) => {
    let text = haystack.get(item);
    if (text === undefined) {
      const findings = (item.findings || []).map((f) => `${f.code} ${f.message}`);
      const kernels = (item.kernels || []).map((k) => `${k.name} ${k.outcome} ${k.reason}`);
      const own = [item.name, item.state, item.outcome, item.reason, item.file, item.code, item.message];
      text = [...own, ...(item.places || []), ...(item.evidence || []), ...findings, ...kernels].join("\n").toLowerCase();
      haystack.set(item, text);
    }
    return text;
  };
  const matches = (item) => search.value.toLowerCase().split(/\s+/).every((word) => textOf(item).includes(word));

  const kernels = data.files.flatMap((file, at) => file.kernels.map((k) => ({ ...k, file: file.name, at })));
  const byFile = new Map(data.files.map((file, at) => [file.name, at]));

  // --- lists ---

  const list = (columns, items, cells, open) => {
    const shown = items.slice(0, MOST_ROWS);
    const body = el("tbody", {}, shown.map((item, row) =>
      el("tr", { class: "row", "data-row": row, onclick: () => open(item) }, cells(item))));
    const head = el("tr", {}, columns.map(([name, kind]) => el("th", { scope: "col", class: kind || "" }, name)));
    const table = el("table", { class: "list" }, el("thead", {}, head), body);
    opened = (row) => row < shown.length && open(shown[row]);
    const left = items.length - shown.length;
    return [table, left > 0 && el("p", { class: "lead" }, `${counted(left, "further row")}: search for them.`),
      items.length === 0 && el("p", { class: "empty" }, "Nothing here.")];
  };
  let opened = () => false;

  const filters = (names, counts, total) => {
    const chip = (name, label) => el("button", {
      type: "button", "aria-pressed": String(filter === name), onclick: () => { filter = filter === name ? "" : name; selected = 0; render(); },
    }, label);
    return el("div", { class: "filters", role: "group", "aria-label": "Filter" },
      names.filter((n) => counts[n]).map((n) => chip(n, `${n} ${counts[n]}`)),
      el("span", { class: "count", role: "status" }, total));
  };

  const tally = (items, key) => items.reduce((c, item) => ({ ...c, [item[key]]: (c[item[key]] || 0) + 1 }), {});

  // --- views ---

  const bar = (counts, names) => {
    const total = sum(counts) || 1;
    const bar = el("div", { class: "bar", role: "img", "aria-label": names.filter((n) => counts[n]).map((n) => `${counts[n]} ${n}`).join(", ") });
    for (const name of names.filter((n) => counts[n])) {
      const part = el("span", { class: `${name} fill` });
      part.style.flexGrow = counts[name] / total;
      part.style.flexBasis = "4px";
      bar.append(part);
    }
    return [bar, el("p", { class: "legend" }, names.filter((n) => counts[n]).map((n) => el("span", {}, tag(n), ` ${counts[n]}`)))];
  };
  const card = (number, what) => el("div", { class: "card" }, el("div", { class: "number" }, number), el("div", { class: "what" }, what));

  const overview = () => {
    const states = {};
    for (const byState of Object.values(data.states)) for (const [s, n] of Object.entries(byState)) states[s] = (states[s] || 0) + n;
    const reasons = data.reasons.reduce((n, r) => n + r.count, 0);
    const models = data.models;
    return [
      el("h1", {}, data.root),
      el("p", { class: "lead" }, `to ${data.target} for ${data.arch} · run ${data.run} · porter ${data.porter}`),
      el("div", { class: "cards" },
        card(sum(states).toLocaleString("en"), "files"),
        card(sum(data.kernels).toLocaleString("en"), "kernels"),
        card((data.kernels.ported || 0).toLocaleString("en"), "kernels proved"),
        card(reasons.toLocaleString("en"), "things that need a person"),
        models && card(models.usd === null ? "?" : `$${models.usd.toFixed(2)}`, `models: ${models.accepted} of ${models.asked} accepted`)),
      el("h2", {}, "Files"), bar(states, STATES),
      sum(data.kernels) > 0 && [el("h2", {}, "Kernels"), bar(data.kernels, OUTCOMES)],
      Object.keys(data.evidence).length > 0 && [el("h2", {}, "Evidence"), el("table", { class: "list" },
        el("thead", {}, el("tr", {}, el("th", {}, "what was done and passed"), el("th", { class: "n" }, "kernels"))),
        el("tbody", {}, Object.entries(data.evidence).map(([name, n]) => el("tr", {}, el("td", { class: "mono" }, name), el("td", { class: "n" }, n)))))],
      data.reasons.length > 0 && [el("h2", {}, "What needs a person first"), reasonTable(data.reasons.slice(0, 5)),
        data.reasons.length > 5 && el("p", {}, el("a", { href: "#/person" }, `all ${data.reasons.length} reasons`))],
      data.left_out > 0 && el("p", { class: "lead" }, `${counted(data.left_out, "further file")} are only in the numbers.`),
    ];
  };

  const reasonTable = (reasons) => list(
    [["reason"], ["how often", "n"], ["effort", "wide"]], reasons,
    (r) => [
      el("td", {}, r.code && [el("code", {}, r.code), " "], r.message, el("div", { class: "sub" }, r.places.join(", "), r.count > r.places.length ? ` and ${r.count - r.places.length} more` : "")),
      el("td", { class: "n" }, r.count), el("td", { class: "wide" }, r.effort)],
    (r) => { search.value = r.code || r.message.slice(0, 60); filter = ""; location.hash = "#/files"; });

  const person = () => {
    const found = data.reasons.filter(matches);
    return [el("h1", {}, "What needs a person"),
      el("p", { class: "lead" }, "Effort: small is a line or an option, medium a function to be written anew, large another design or library; unknown has to be looked at."),
      reasonTable(found)];
  };

  const fileList = () => {
    const found = data.files.filter(matches);
    const shown = found.filter((f) => !filter || f.state === filter);
    return [el("h1", {}, "Files"), filters(STATES, tally(found, "state"), counted(shown.length, "file")),
      list([["file"], ["state"], ["kernels", "n wide"], ["findings", "n wide"]], shown,
        (f) => [el("td", { class: "name" }, f.name, el("div", { class: "sub" }, KINDS[f.kind] || f.kind, f.reason && ` · ${f.reason}`)),
          el("td", {}, tag(f.state)), el("td", { class: "n wide" }, f.kernels.length || ""), el("td", { class: "n wide" }, f.findings.length + f.more_findings || "")],
        (f) => { location.hash = `#/file/${data.files.indexOf(f)}`; })];
  };

  const figure = (value) => typeof value === "number" ? (value === 0 ? "0" : Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3 ? value.toExponential(1) : String(+value.toPrecision(4))) : value;

  const kernelList = () => {
    const found = kernels.filter(matches);
    const shown = found.filter((k) => !filter || k.outcome === filter);
    return [el("h1", {}, "Kernels"), filters(OUTCOMES, tally(found, "outcome"), counted(shown.length, "kernel")),
      list([["kernel"], ["outcome"], ["evidence", "wide"], ["cases", "n wide"], ["max rel", "n wide"]], shown,
        (k) => [el("td", { class: "name" }, el("code", {}, k.name), el("div", { class: "sub" }, k.file, k.reason && ` · ${k.reason}`)),
          el("td", {}, tag(k.outcome)), el("td", { class: "wide mono" }, k.evidence.join(" ")),
          el("td", { class: "n wide" }, k.comparison ? k.comparison.cases : ""), el("td", { class: "n wide" }, k.comparison ? figure(k.comparison.max_rel) : "")],
        (k) => { location.hash = `#/file/${k.at}`; })];
  };

  // The part of a changed line that the other side has not: what is between their common ends.
  const marked = (text, other) => {
    const most = Math.min(text.length, other.length);
    let start = 0;
    while (start < most && text[start] === other[start]) start++;
    let end = 0;
    while (end < most - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
    if (start + end < most / 4) return text;
    return [text.slice(0, start), el("mark", {}, text.slice(start, text.length - end)), text.slice(text.length - end)];
  };

  const diff = (port, file) => {
    const noted = new Map();
    if (port.name === file.name || port === file.ports[0]) {
      for (const f of file.findings) if (f.path === file.name) noted.set(f.line, [...(noted.get(f.line) || []), f]);
    }
    const cell = (number, text, kind, other) => [el("td", { class: `no ${kind}` }, number || ""), el("td", { class: kind }, other === undefined ? text : marked(text, other))];
    const rows = [];
    let change = 0;
    let inside = false;
    for (const [kind, i, left, j, right] of port.rows) {
      if (kind === "…") { rows.push(el("tr", { class: "gap" }, el("td", { colspan: 4 }, `line ${i}`))); inside = false; continue; }
      const changed = kind !== "=";
      const row = el("tr", changed && !inside ? { "data-change": change++ } : {},
        cell(i, left, kind === "-" || kind === "~" ? "cut" : "", kind === "~" ? right : undefined),
        cell(j, right, kind === "+" || kind === "~" ? "add" : "", kind === "~" ? left : undefined));
      inside = changed;
      rows.push(row);
      for (const f of noted.get(i) || []) {
        rows.push(el("tr", { class: "note" }, el("td", { colspan: 4 }, el("code", {}, f.code), ` ${f.severity}: ${f.message}`, f.hint && ` — ${f.hint}`)));
      }
    }
    const head = el("h3", {}, el("code", {}, port.name), ` +${port.added} −${port.removed}`);
    const table = rows.length > 0 && el("div", { class: "scroll" }, el("table", { class: "diff", "aria-label": `changes of ${port.name}` }, el("colgroup", {}, ["no", "text", "no", "text"].map((c) => el("col", { class: c }))), el("tbody", {}, rows)));
    return el("section", {}, head, table, port.cut && el("p", { class: "lead" }, port.cut));
  };

  const errorPlot = (comparison) => {
    const cases = comparison.by_case || [];
    if (!cases.length) return null;
    const value = (c) => typeof c.max_rel === "number" ? c.max_rel : 1e9;
    const low = -17, high = 2, left = 165, right = 345, step = 15;
    const x = (v) => v <= 0 ? left : left + (right - left) * (Math.min(Math.max(Math.log10(v), low), high) - low) / (high - low);
    const height = cases.length * step + 28;
    const picture = svg("svg", { viewBox: `0 0 360 ${height}`, role: "img", "aria-label": "largest relative error of each kind of case" });
    for (const power of [-16, -12, -8, -4, 0]) {
      const at = x(10 ** power);
      picture.append(svg("line", { class: "axis", x1: at, x2: at, y1: 4, y2: height - 20 }), svg("text", { x: at, y: height - 6, "text-anchor": "middle" }, `1e${power}`));
    }
    cases.forEach((c, row) => {
      const y = 12 + row * step;
      const bad = c.n_mismatch ? " bad" : "";
      const text = svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, c.case.length > 28 ? `${c.case.slice(0, 27)}…` : c.case);
      text.append(svg("title", {}, c.case));
      const end = x(value(c));
      picture.append(text, svg("line", { class: `stem${bad}`, x1: left, x2: end, y1: y, y2: y }),
        svg("circle", { class: `dot${bad}`, cx: end, cy: y, r: 3.5 }, svg("title", {}, `${c.case}: max rel ${figure(c.max_rel)}, max ulp ${figure(c.max_ulp)}, ${c.n_mismatch} of ${c.n_elements} differ`)));
    });
    return el("div", { class: "panel" }, el("h3", {}, "Largest relative error, by kind of case"), picture);
  };

  const roofline = (e) => {
    if (!e || !e.peak_gbps || !e.bytes_moved) return null;
    const intensity = e.flops / e.bytes_moved;
    const attained = e.flops / e.time_us / 1e6;
    const lowX = -3, highX = 3, lowY = -4, highY = Math.ceil(Math.log10(e.peak_tflops)) + 0.3;
    const X = (v) => 40 + 300 * (Math.min(Math.max(Math.log10(v), lowX), highX) - lowX) / (highX - lowX);
    const Y = (v) => 10 + 150 * (highY - Math.min(Math.max(Math.log10(v), lowY), highY)) / (highY - lowY);
    const roof = (v) => Math.min(v * e.peak_gbps / 1e3, e.peak_tflops);
    const knee = e.peak_tflops * 1e3 / e.peak_gbps;
    const picture = svg("svg", { viewBox: "0 0 360 195", role: "img", "aria-label": "roofline" });
    for (let p = lowX; p <= highX; p += 2) picture.append(svg("line", { class: "axis", x1: X(10 ** p), x2: X(10 ** p), y1: 10, y2: 160 }), svg("text", { x: X(10 ** p), y: 174, "text-anchor": "middle" }, `1e${p}`));
    for (let p = lowY; p <= highY; p += 2) picture.append(svg("line", { class: "axis", x1: 40, x2: 340, y1: Y(10 ** p), y2: Y(10 ** p) }), svg("text", { x: 36, y: Y(10 ** p) + 4, "text-anchor": "end" }, `1e${p}`));
    picture.append(svg("path", { class: "roof", d: `M${X(10 ** lowX)} ${Y(roof(10 ** lowX))} L${X(knee)} ${Y(e.peak_tflops)} L${X(10 ** highX)} ${Y(e.peak_tflops)}` }));
    if (e.flops > 0) picture.append(svg("circle", { class: "dot", cx: X(intensity), cy: Y(attained), r: 5 }, svg("title", {}, `${figure(intensity)} flop/byte, at most ${figure(attained)} TFLOP/s`)));
    picture.append(svg("text", { x: 190, y: 190, "text-anchor": "middle" }, "flop / byte"), svg("text", { x: 44, y: 20 }, "TFLOP/s"));
    const bound = e.bound === "launch" ? "the launch itself" : e.bound;
    return el("div", { class: "panel" }, el("h3", {}, `Roofline of ${e.gpu}`), picture,
      el("p", { class: "lead" }, `at least ${figure(e.time_us)} µs, bound by ${bound}; ${figure(e.bytes_moved)} bytes, ${figure(e.flops)} operations in the largest launch`));
  };

  const RESOURCES = [["vgprs", "VGPRs"], ["agprs", "AGPRs"], ["sgprs", "SGPRs"], ["lds_bytes", "LDS, bytes"], ["vgpr_spills", "VGPR spills"], ["sgpr_spills", "SGPR spills"], ["scratch_bytes", "scratch, bytes"], ["waves_per_simd", "waves a SIMD"], ["occupancy_limited_by", "limited by"]];
  const resources = (found) => {
    const builds = Object.keys(found);
    if (!builds.length) return null;
    const known = RESOURCES.filter(([key]) => builds.some((b) => key in found[b]));
    return el("div", { class: "panel" }, el("h3", {}, "Resources"), el("table", {},
      el("thead", {}, el("tr", {}, el("th", {}, ""), builds.map((b) => el("th", { scope: "col" }, b.replace("built:", ""))))),
      el("tbody", {}, known.map(([key, name]) => el("tr", {}, el("th", { scope: "row" }, name), builds.map((b) => el("td", {}, found[b][key] ?? "")))))));
  };

  const comparison = (c) => c && el("div", { class: "panel" }, el("h3", {}, "Comparison with the original"), el("table", {}, el("tbody", {},
    [["cases", c.cases], ["elements", c.n_elements.toLocaleString("en")], ["differ", c.n_mismatch.toLocaleString("en")], ["max ulp", figure(c.max_ulp)], ["max rel", figure(c.max_rel)], ["error / the original's own", c.worst_vs_reference === null ? "-" : figure(c.worst_vs_reference)], ["seed", c.seed]]
      .map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "n" }, value))))),
    c.first_mismatches.slice(0, 5).map((m) => el("div", { class: "mono sub" }, `${m.buffer}[${m.index}]: expected ${figure(m.expected)}, got ${figure(m.actual)} (${m.case})`)));

  const kernelView = (k) => el("section", { class: "kernel" },
    el("h2", {}, el("code", {}, k.name), " ", tag(k.outcome), k.by && el("span", { class: "sub" }, ` by ${k.by}`)),
    k.reason && el("p", { class: "lead" }, k.reason),
    k.evidence.length > 0 && el("p", { class: "mono" }, k.evidence.join(" · ")),
    el("div", { class: "panels" }, comparison(k.comparison), k.comparison && errorPlot(k.comparison), roofline(k.estimate), resources(k.resources)));

  const fileView = (at) => {
    const file = data.files[at];
    if (!file) return [el("h1", {}, "There is no such file")];
    opened = () => false;
    return [
      el("p", {}, el("a", { href: "#/files" }, "← Files")),
      el("h1", {}, file.name), el("p", { class: "lead" }, tag(file.state), ` ${KINDS[file.kind] || file.kind}`, file.reason && ` · ${file.reason}`),
      file.kernels.map(kernelView),
      file.findings.length > 0 && [el("h2", {}, "Findings"), file.findings.map((f) => el("div", { class: `finding ${f.severity}` },
        el("code", {}, `${f.path}:${f.line}:${f.column}`), ` ${f.severity} `, el("code", {}, f.code), ` ${f.message}`, f.hint && el("div", { class: "sub" }, f.hint)))],
      file.more_findings > 0 && el("p", { class: "lead" }, counted(file.more_findings, "further finding")),
      file.ports.length > 0 && [el("h2", {}, "Changes"), file.changed && el("p", { class: "lead" }, "The file has changed since, or is gone: only the port is shown."), file.ports.map((p) => diff(p, file))],
    ];
  };

  // --- what is shown ---

  const route = () => location.hash.replace(/^#\/?/, "").split("/");
  const render = () => {
    const [view, at] = route();
    const views = { files: fileList, kernels: kernelList, person };
    main.replaceChildren();
    opened = () => false;
    const content = view === "file" ? fileView(+at) : (views[view] || overview)();
    add(main, [content]);
    for (const link of document.querySelectorAll("nav a")) {
      const here = link.dataset.view === (view === "file" ? "files" : views[view] ? view : "overview");
      here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    }
    select(Math.min(selected, rows().length - 1));
  };
  const rows = () => [...main.querySelectorAll("tr.row")];
  const select = (row) => {
    const all = rows();
    all.forEach((r) => r.removeAttribute("aria-selected"));
    selected = Math.max(0, Math.min(row, all.length - 1));
    if (all.length && route()[0]) { all[selected].setAttribute("aria-selected", "true"); all[selected].scrollIntoView({ block: "nearest" }); }
  };
  const toChange = (direction) => {
    const changes = [...main.querySelectorAll("tr[data-change]")];
    if (!changes.length) return;
    const now = changes.findIndex((c) => c.classList.contains("at"));
    const next = Math.max(0, Math.min(now < 0 ? 0 : now + direction, changes.length - 1));
    changes.forEach((c) => c.classList.remove("at"));
    changes[next].classList.add("at");
    changes[next].scrollIntoView({ block: "center" });
  };
  const toFile = (direction) => {
    const next = +route()[1] + direction;
    if (data.files[next]) location.hash = `#/file/${next}`;
  };
  const turn = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };
  const go = { o: "#/", f: "#/files", k: "#/kernels", r: "#/person" };

  addEventListener("hashchange", () => { filter = ""; selected = 0; render(); if (document.activeElement !== search) main.focus({ preventScroll: true }); scrollTo(0, 0); });
  search.addEventListener("input", () => {
    selected = 0;
    if (!["files", "kernels", "person"].includes(route()[0])) location.hash = "#/files"; else render();
  });
  document.getElementById("theme").addEventListener("click", turn);
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (event.target === search) {
      if (event.key === "Escape") { search.value = ""; search.blur(); render(); }
      if (event.key === "Enter") { search.blur(); select(0); }
      return;
    }
    const inFile = route()[0] === "file";
    if (afterG && Date.now() - afterG < 1500 && go[event.key]) { location.hash = go[event.key]; afterG = 0; return; }
    const keys = {
      "/": () => search.focus(), "?": () => help.showModal(), t: turn, g: () => { afterG = Date.now(); },
      j: () => inFile ? toChange(1) : select(selected + 1), k: () => inFile ? toChange(-1) : select(selected - 1),
      n: () => inFile && toFile(1), p: () => inFile && toFile(-1),
      Enter: () => { if (event.target.tagName !== "A" && event.target.tagName !== "BUTTON") opened(selected); else return false; },
      Escape: () => { if (inFile) location.hash = "#/files"; else if (search.value) { search.value = ""; render(); } },
    };
    if (keys[event.key] && keys[event.key]() !== false) event.preventDefault();
  });
  render();
})();
