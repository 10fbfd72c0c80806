// Which replay is shown, and from where: `?replay=NAME&camera=NAME` of the page's address. Changing one loads the page
// anew, because the player takes its recording and its first camera when it starts.
(() => {
  const page = JSON.parse(document.getElementById("replays").textContent);
  const asked = new URLSearchParams(location.search);
  const known = (name, table) => (Object.hasOwn(table, name) ? name : Object.keys(table)[0]);
  const replay = known(asked.get("replay"), page);
  const cameras = page[replay].cameras;
  const camera = known(asked.get("camera"), cameras);
  window.__VISER_EMBED_DATA__ = page[replay].recording;

  const load = (name, view) => {
    const camera = page[name].cameras[known(view, page[name].cameras)];
    location.search = new URLSearchParams({ replay: name, camera: view, ...camera });
  };
  document.addEventListener("DOMContentLoaded", () => {
    const replays = document.getElementById("replay");
    const views = document.getElementById("camera");
    views.replaceChildren(...Object.keys(cameras).map((name) => new Option(name, name)));
    for (const [select, value] of [[replays, replay], [views, camera]]) {
      select.value = value;
      select.parentElement.hidden = select.length < 2;
      select.addEventListener("change", () => load(replays.value, views.value));
    }
    for (const facts of document.querySelectorAll("#about dl")) facts.hidden = facts.dataset.replay !== replay;
  });
})();
