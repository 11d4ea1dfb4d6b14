package html

// Hatches are the patterns that stand once on the page.
const Hatches = `<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>` +
	`<pattern id="hatch-1" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path data-hatch="1" d="M0 0V7" stroke-width="2.200"></path></pattern>` +
	`<pattern id="hatch-2" width="7" height="7" patternUnits="userSpaceOnUse"><circle data-hatch="dot" cx="2" cy="2" r="1.100"></circle><circle data-hatch="dot" cx="5.500" cy="5.500" r="1.100"></circle></pattern>` +
	`<pattern id="hatch-3" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><path data-hatch="1" d="M0 0V7" stroke-width="2.200"></path></pattern>` +
	`<pattern id="hatch-4" width="6" height="6" patternUnits="userSpaceOnUse"><path data-hatch="1" d="M0 3H6" stroke-width="1.600"></path></pattern>` +
	`<pattern id="hatch-5" width="6" height="6" patternUnits="userSpaceOnUse"><path data-hatch="1" d="M3 0V6" stroke-width="1.600"></path></pattern>` +
	`<pattern id="hatch-6" width="7" height="7" patternUnits="userSpaceOnUse"><path data-hatch="1" d="M0 3.500H7M3.500 0V7" stroke-width="1.200"></path></pattern>` +
	`<pattern id="hatch-idle" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path data-hatch="idle" d="M0 0V8" stroke-width="1"></path></pattern>` +
	`</defs></svg>`
