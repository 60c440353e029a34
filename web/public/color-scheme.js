// Sets the colour scheme before the first paint. It is a file of its own because
// the content security policy allows no inline script.
(function () {
  var scheme = null;
  try {
    scheme = window.localStorage.getItem("goldloop.color-scheme");
  } catch {
    // Storage may be blocked; the system's preference is then the answer.
  }
  if (scheme !== "light" && scheme !== "dark") {
    scheme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.setAttribute("data-mantine-color-scheme", scheme);
})();
