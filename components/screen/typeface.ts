/** To the server and back in a bad link, milliseconds: more than a busy server alone takes. */
const SLOW_MS = 390;

/** Widest screen that has the letters of its device, pixels: a phone. */
const PHONE_PX = 500;

/**
 * A script for the head of a page. It marks the page as one with our typeface (`data-typeface`, app/globals.css), unless the
 * screen is a phone's, the link is bad or data is to be saved: then the 49 kB would come between the page and its first
 * number, and the letters of the device are as good. The choice of the device is that of components/view-state/device-setting.ts.
 */
export const typefaceScript = `try{
const [page]=performance.getEntriesByType("navigation");
const chosen=localStorage.getItem("metocean-data-use");
const light=chosen?chosen==="light":navigator.connection?.saveData;
if(innerWidth>${PHONE_PX}&&!light&&!(page&&page.responseStart-page.requestStart>${SLOW_MS}))document.documentElement.dataset.typeface="";
}catch{}`;
