/** Round-trip time of a bad connection, milliseconds; a busy server alone takes less. */
const SLOW_MS = 390;

/** Widest screen that uses the device's font, pixels: that of a phone. */
const PHONE_PX = 500;

/**
 * A script for the head of a page. It marks the page as using this service's typeface (`data-typeface`,
 * app/globals.css), unless the screen is a phone's, the connection is bad or data use is restricted; in those
 * cases the 49 kB would delay the page's first number, and the device's font serves as well. The setting of
 * the device is the one of components/view-state/device-setting.ts.
 */
export const typefaceScript = `try{
const [page]=performance.getEntriesByType("navigation");
const chosen=localStorage.getItem("metocean-data-use");
const light=chosen?chosen==="light":navigator.connection?.saveData;
if(innerWidth>${PHONE_PX}&&!light&&!(page&&page.responseStart-page.requestStart>${SLOW_MS}))document.documentElement.dataset.typeface="";
}catch{}`;
