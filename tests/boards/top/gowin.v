// Blocks of a Gowin FPGA that Yosys has no models of: block RAMs of 512 rows of 36 bits, read and
// written by 36, 18 or 9 bits, and a multiplier. A word of 18 bits or more has a bit of its address
// for each byte, which lets it be written. Inputs that are constant in our netlists are ignored.

`define CONTENTS parameter [287:0] \
  INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0, INIT_RAM_04 = 0, \
  INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0, INIT_RAM_08 = 0, INIT_RAM_09 = 0, \
  INIT_RAM_0A = 0, INIT_RAM_0B = 0, INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, \
  INIT_RAM_0F = 0, INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0, \
  INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0, INIT_RAM_18 = 0, \
  INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0, INIT_RAM_1C = 0, INIT_RAM_1D = 0, \
  INIT_RAM_1E = 0, INIT_RAM_1F = 0, INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, \
  INIT_RAM_23 = 0, INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0, \
  INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0, INIT_RAM_2C = 0, \
  INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0, INIT_RAM_30 = 0, INIT_RAM_31 = 0, \
  INIT_RAM_32 = 0, INIT_RAM_33 = 0, INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, \
  INIT_RAM_37 = 0, INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0, \
  INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0
`define INIT { \
  INIT_RAM_3F, INIT_RAM_3E, INIT_RAM_3D, INIT_RAM_3C, INIT_RAM_3B, INIT_RAM_3A, INIT_RAM_39, \
  INIT_RAM_38, INIT_RAM_37, INIT_RAM_36, INIT_RAM_35, INIT_RAM_34, INIT_RAM_33, INIT_RAM_32, \
  INIT_RAM_31, INIT_RAM_30, INIT_RAM_2F, INIT_RAM_2E, INIT_RAM_2D, INIT_RAM_2C, INIT_RAM_2B, \
  INIT_RAM_2A, INIT_RAM_29, INIT_RAM_28, INIT_RAM_27, INIT_RAM_26, INIT_RAM_25, INIT_RAM_24, \
  INIT_RAM_23, INIT_RAM_22, INIT_RAM_21, INIT_RAM_20, INIT_RAM_1F, INIT_RAM_1E, INIT_RAM_1D, \
  INIT_RAM_1C, INIT_RAM_1B, INIT_RAM_1A, INIT_RAM_19, INIT_RAM_18, INIT_RAM_17, INIT_RAM_16, \
  INIT_RAM_15, INIT_RAM_14, INIT_RAM_13, INIT_RAM_12, INIT_RAM_11, INIT_RAM_10, INIT_RAM_0F, \
  INIT_RAM_0E, INIT_RAM_0D, INIT_RAM_0C, INIT_RAM_0B, INIT_RAM_0A, INIT_RAM_09, INIT_RAM_08, \
  INIT_RAM_07, INIT_RAM_06, INIT_RAM_05, INIT_RAM_04, INIT_RAM_03, INIT_RAM_02, INIT_RAM_01, \
  INIT_RAM_00 \
  }

// Two ports of 512 rows. A port that writes keeps what it has read in mode 0, shows what it writes
// in mode 1, and what was there before in mode 2.
module gowin_rows #(
  parameter WIDTH_A = 36, WIDTH_B = 36, MODE_A = 0, MODE_B = 0,
  parameter [18431:0] INIT = 0
) (
  input clk_a, ce_a, write_a, clk_b, ce_b, write_b,
  input [13:0] at_a, at_b,
  input [35:0] given_a, given_b,
  output [35:0] word_a, word_b
);
  reg [35:0] rows [0:511];
  integer n;

  initial
    for (n = 0; n < 512; n = n + 1) rows[n] = INIT[36 * n +: 36];

  // Where a word begins in its row.
  function [5:0] place(input integer width, input [4:0] at);
    place = width == 36 ? 0 : width == 18 ? 18 * at[4] : 9 * at[4:3];
  endfunction

  // Which bits of its row are written.
  function [35:0] written(input integer width, input [4:0] at);
    written = width == 36 ? {{9{at[3]}}, {9{at[2]}}, {9{at[1]}}, {9{at[0]}}}
      : (width == 18 ? {{9{at[1]}}, {9{at[0]}}} : 36'h1FF) << place(width, at);
  endfunction

  wire [35:0] data_a = given_a << place(WIDTH_A, at_a[4:0]);
  wire [35:0] data_b = given_b << place(WIDTH_B, at_b[4:0]);
  wire [35:0] mask_a = written(WIDTH_A, at_a[4:0]), mask_b = written(WIDTH_B, at_b[4:0]);
  wire [35:0] old_a = rows[at_a[13:5]], old_b = rows[at_b[13:5]];
  wire [35:0] new_a = old_a & ~mask_a | data_a & mask_a, new_b = old_b & ~mask_b | data_b & mask_b;
  reg [35:0] row_a = 0, row_b = 0;
  reg [5:0] place_a = 0, place_b = 0;

  always @(posedge clk_a)
    if (ce_a) begin
      if (write_a) rows[at_a[13:5]] <= new_a;
      if (!write_a || MODE_A != 0) begin
        row_a <= write_a && MODE_A == 1 ? new_a : old_a;
        place_a <= place(WIDTH_A, at_a[4:0]);
      end
    end

  always @(posedge clk_b)
    if (ce_b) begin
      if (write_b) rows[at_b[13:5]] <= new_b;
      if (!write_b || MODE_B != 0) begin
        row_b <= write_b && MODE_B == 1 ? new_b : old_b;
        place_b <= place(WIDTH_B, at_b[4:0]);
      end
    end

  assign word_a = row_a >> place_a;
  assign word_b = row_b >> place_b;
endmodule

// One port.
module SPX9 (
  input CLK, CE, WRE, OCE, RESET, input [2:0] BLKSEL, input [13:0] AD, input [35:0] DI,
  output [35:0] DO
);
  parameter BIT_WIDTH = 36, WRITE_MODE = 0, READ_MODE = 0, BLK_SEL = 0, RESET_MODE = "SYNC";
  `CONTENTS;
  gowin_rows #(.WIDTH_A(BIT_WIDTH), .MODE_A(WRITE_MODE), .INIT(`INIT)) rows (
    .clk_a(CLK), .ce_a(CE), .write_a(WRE), .at_a(AD), .given_a(DI), .word_a(DO),
    .clk_b(1'b0), .ce_b(1'b0), .write_b(1'b0), .at_b(14'b0), .given_b(36'b0), .word_b()
  );
endmodule

// Port A writes, and port B reads.
module SDPX9B (
  input CLKA, CEA, CLKB, CEB, OCE, RESETA, RESETB, input [2:0] BLKSELA, BLKSELB,
  input [13:0] ADA, ADB, input [35:0] DI, output [35:0] DO
);
  parameter BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, READ_MODE = 0, BLK_SEL_0 = 0, BLK_SEL_1 = 0;
  parameter RESET_MODE = "SYNC";
  `CONTENTS;
  gowin_rows #(.WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .INIT(`INIT)) rows (
    .clk_a(CLKA), .ce_a(CEA), .write_a(1'b1), .at_a(ADA), .given_a(DI), .word_a(),
    .clk_b(CLKB), .ce_b(CEB), .write_b(1'b0), .at_b(ADB), .given_b(36'b0), .word_b(DO)
  );
endmodule

// Two ports.
module DPX9B (
  input CLKA, CEA, WREA, OCEA, RESETA, CLKB, CEB, WREB, OCEB, RESETB,
  input [2:0] BLKSELA, BLKSELB, input [13:0] ADA, ADB, input [17:0] DIA, DIB,
  output [17:0] DOA, DOB
);
  parameter BIT_WIDTH_0 = 18, BIT_WIDTH_1 = 18, WRITE_MODE0 = 0, WRITE_MODE1 = 0;
  parameter READ_MODE0 = 0, READ_MODE1 = 0, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  `CONTENTS;
  wire [35:0] word_a, word_b;
  gowin_rows #(
    .WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .MODE_A(WRITE_MODE0), .MODE_B(WRITE_MODE1),
    .INIT(`INIT)
  ) rows (
    .clk_a(CLKA), .ce_a(CEA), .write_a(WREA), .at_a(ADA), .given_a({18'b0, DIA}), .word_a(word_a),
    .clk_b(CLKB), .ce_b(CEB), .write_b(WREB), .at_b(ADB), .given_b({18'b0, DIB}), .word_b(word_b)
  );
  assign DOA = word_a[17:0];
  assign DOB = word_b[17:0];
endmodule

// Without its registers.
module MULT9X9 (
  input [8:0] A, SIA, B, SIB, input ASIGN, BSIGN, ASEL, BSEL, CE, CLK, RESET,
  output [17:0] DOUT, output [8:0] SOA, SOB
);
  wire [17:0] a = {{9{ASIGN & A[8]}}, A}, b = {{9{BSIGN & B[8]}}, B};
  assign DOUT = a * b;
endmodule
