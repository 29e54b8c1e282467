//! Copies memory eight words at a time.
//!
//! The compiler calls these functions, by their names in the Arm ABI, whenever a large
//! value moves, and the states of games are large. The weak versions in its own library,
//! which these replace, move one word at a time in an image that is optimised for size.
//!
//! Armv6-M lacks some of these instructions; its images use the library's versions.
//!
//! Invariants: no byte outside of either range is accessed; at least one word is copied
//! at a time, except for the bytes before the first and after the last aligned word.

#![allow(unsafe_code)]

use core::arch::global_asm;

// SAFETY: each function preserves the registers that a call must preserve, reads and
// writes exactly what it was asked to, and returns nothing, as the ABI requires.
global_asm!(
    ".syntax unified",
    ".section .text.copy, \"ax\"",
    ".global __aeabi_memcpy",
    ".global __aeabi_memcpy4",
    ".global __aeabi_memcpy8",
    ".type __aeabi_memcpy, %function",
    ".type __aeabi_memcpy4, %function",
    ".type __aeabi_memcpy8, %function",
    ".p2align 2",
    ".thumb_func",
    // If the two addresses are never word-aligned together, copy word by word, which the
    // core supports at any address. If they are, copy bytes up to the first aligned word.
    "__aeabi_memcpy:",
    "eor r3, r0, r1",
    "tst r3, #3",
    "bne 6f",
    "1:",
    "tst r0, #3",
    "beq 2f",
    "cmp r2, #0",
    "beq 8f",
    "ldrb r3, [r1], #1",
    "strb r3, [r0], #1",
    "subs r2, #1",
    "b 1b",
    // Copy eight words at a time.
    ".thumb_func",
    "__aeabi_memcpy8:",
    ".thumb_func",
    "__aeabi_memcpy4:",
    "2:",
    "subs r2, #32",
    "blo 4f",
    "push {{r4-r10, lr}}",
    "3:",
    "ldmia r1!, {{r3-r10}}",
    "stmia r0!, {{r3-r10}}",
    "subs r2, #32",
    "bhs 3b",
    "pop {{r4-r10, lr}}",
    "4:",
    "adds r2, #32",
    // Copy the remaining whole words.
    "6:",
    "subs r2, #4",
    "blo 7f",
    "5:",
    "ldr r3, [r1], #4",
    "str r3, [r0], #4",
    "subs r2, #4",
    "bhs 5b",
    "7:",
    "adds r2, #4",
    "beq 8f",
    // Copy the remaining single bytes.
    "9:",
    "ldrb r3, [r1], #1",
    "strb r3, [r0], #1",
    "subs r2, #1",
    "bne 9b",
    "8:",
    "bx lr",
    ".text",
);
