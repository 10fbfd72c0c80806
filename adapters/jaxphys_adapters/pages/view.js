// Which replay is shown, and from where: `?replay=NAME&camera=NAME` of the page's address. Changing one loads the page
// anew, because the player takes its recording and its first camera when it starts.
(() => {
  const page = JSON.parse(document.getElementById("replays").textContent);
  const asked = new URLSearchParams(location.search);
  const known = (name, table) => (Object.hasOwn(table, name) ? name : Object.keys(table)[0]);
  const replay = known(asked.get("replay"), page);
  const cameras = page[replay].cameras;
  const camera = known(asked.get("camera"), cameras);
  window.__VISER_EMBED_DATA__ = page[replay].seen[camera] ?? page[replay].recording;

  const narrow = innerWidth < innerHeight;
  const load = (name, view) => {
    const camera = { ...page[name].cameras[known(view, page[name].cameras)] };
    // A field of view is that of the height; in a narrow window it is widened, up to what can still be looked at.
    if (narrow) camera.initialCameraFov = Math.min(1.8 * camera.initialCameraFov, 2);
    location.search = new URLSearchParams({ replay: name, camera: view, ...camera });
  };
  // An address made by hand names the camera alone.
  if (!asked.has("initialCameraPosition") && (asked.has("camera") || narrow)) load(replay, camera);
  document.addEventListener("DOMContentLoaded", () => {
    const replays = document.getElementById("replay");
    const views = document.getElementById("camera");
    views.replaceChildren(...Object.keys(cameras).map((name) => new Option(name, name)));
    for (const [select, value] of [[replays, replay], [views, camera]]) {
      select.value = value;
      select.parentElement.hidden = select.length < 2;
      select.addEventListener("change", () => load(replays.value, views.value));
    }
    document.querySelector("#about details").open = innerWidth >= 1400;
    for (const facts of document.querySelectorAll("#about [data-replay]")) facts.hidden = facts.dataset.replay !== replay;
  });
})();
