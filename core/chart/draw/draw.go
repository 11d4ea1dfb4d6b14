// Package draw makes SVG text of what package chart laid out, and a buffer of numbers where a canvas paints. Most
// functions give one picture each; Picture is what the parts of a lane's picture share.
//
// It refuses to touch a document object model and to look at a policy. Every text and attribute is escaped, and equal
// input gives equal bytes. Words beside a mark are here, and sentences about a run are not.
package draw
